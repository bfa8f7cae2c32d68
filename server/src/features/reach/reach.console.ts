import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { readReach } from './reach.js';
import { ReachReply } from './reach.schema.js';

export const reachConsole = [
  route({
    operationId: 'consoleGetPolicyReach',
    method: 'GET',
    path: '/api/console/security-policy/reach',
    summary: 'Count the people, phones and sign-ins that a stricter policy would reach',
    description:
      'For `new_browser` and `require_verified_attestation`, before they are raised. People are active and have a phone in force. Sign-ins are ' +
      'those of the last 30 days, at most the newest 100,000.',
    auth: console({ role: 'auditor' }),
    schemas: { query: EnvironmentQuery },
    replies: { 200: ReachReply },
    handler: ({ read, deps, scope }) => readReach(read, deps, scope),
  }),
];
