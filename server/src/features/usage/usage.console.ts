import { console, route } from '../../http/route.js';
import { readUsage } from './usage.js';
import { UsageReply } from './usage.schema.js';

export const usageConsole = [
  route({
    operationId: 'consoleGetUsage',
    method: 'GET',
    path: '/api/console/usage',
    summary: 'Get the calls of this month and the eleven before, and the last 50 calls',
    auth: console,
    replies: { 200: UsageReply },
    handler: ({ deps, principal }) => readUsage(deps, principal.tenant),
  }),
];
