import { console, route } from '../../http/route.js';
import * as schema from './accounts.schema.js';
import { closeAccount, reopenAccount } from './closing.js';

export const closingConsole = [
  route({
    operationId: 'consoleCloseAccount',
    method: 'POST',
    path: '/api/console/account/close',
    summary: 'Close the account: after 30 days everything of it is deleted',
    description:
      'Until `closesAt` the owner can log in and reopen it. In these days every other request returns 403 `tenant_inactive`, and nothing ' +
      'is delivered. Then everything but the audit log is deleted. Repeating the request returns the same time.',
    auth: console({ role: 'owner' }),
    whileClosing: true,
    schemas: { body: schema.CloseBody },
    replies: { 200: schema.CloseReply },
    errors: ['invalid_credentials', 'step_up_required', 'rate_limit_exceeded'],
    handler: (context) => closeAccount(context, context.body.password),
  }),
  route({
    operationId: 'consoleReopenAccount',
    method: 'POST',
    path: '/api/console/account/reopen',
    summary: 'Reopen an account that is closing',
    description: 'Everything is as it was. An account that is active stays so.',
    auth: console({ role: 'owner' }),
    whileClosing: true,
    replies: { 200: schema.ReopenReply },
    handler: (context) => reopenAccount(context),
  }),
];
