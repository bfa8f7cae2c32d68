import { key, route } from '../../http/route.js';
import { erase } from './erasure.js';
import { EraseBody, EraseReply } from './erasure.schema.js';
import { exportPerson } from './export.js';
import { PERSON_DISPOSITION, PERSON_EXAMPLE } from './export.schema.js';

const params = { userId: 'user_not_found' } as const;

export const erasureV1 = [
  route({
    operationId: 'exportUser',
    method: 'GET',
    path: '/v1/users/:userId/export',
    summary: 'Export everything about a user as one JSON document',
    description:
      'Streamed. A document that is cut off is not valid JSON. If the user is erased during the export, the connection ends.',
    auth: key('users:read', { console: { role: 'auditor' } }),
    schemas: { params },
    replies: { 200: 'application/json' },
    examples: { 200: PERSON_EXAMPLE },
    replyHeaders: { 'Content-Disposition': PERSON_DISPOSITION },
    handler: (context) => exportPerson(context, context.params.userId),
  }),
  route({
    operationId: 'eraseUser',
    method: 'POST',
    path: '/v1/users/:userId/erase',
    summary: 'Erase everything personal about a user, for good',
    description:
      'Ends everything that the person can use, and removes every personal value. The id stays in events and in the audit log. Repeating it returns the same erasure.',
    auth: key('users:erase', { console: { role: 'owner' } }),
    acts: ['erase'],
    schemas: { params, body: EraseBody },
    replies: { 200: EraseReply },
    errors: ['rate_limit_exceeded', 'hours_kept'],
    handler: ({ principal, params: { userId }, body, ...context }) =>
      erase(context, userId, {
        reason: body.reason ?? 'request',
        events: body.events ?? 'strip',
        hours: body.hours ?? 'refuse',
        keyId: 'keyId' in principal ? principal.keyId : null,
      }),
  }),
];
