import { console, route } from '../../http/route.js';
import { ConsoleAuditList, ConsoleAuditQuery } from './audit.schema.js';
import { searchedAudit } from './search.js';

export const auditConsole = [
  route({
    operationId: 'consoleListAuditEvents',
    method: 'GET',
    path: '/api/console/audit',
    summary: 'List audit events of an environment, newest first by default',
    description: 'Members with the role `reception` see only what they did themselves.',
    auth: console({ role: 'member' }),
    schemas: { query: ConsoleAuditQuery },
    replies: { 200: ConsoleAuditList },
    compress: true,
    handler: (context) => searchedAudit(context),
  }),
];
