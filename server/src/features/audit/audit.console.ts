import { console, route } from '../../http/route.js';
import { forConsole } from '../../http/schema.js';
import { auditList } from './audit.js';
import { AuditListReply, ListAuditQuery } from './audit.schema.js';

export const auditConsole = [
  route({
    operationId: 'consoleListAuditEvents',
    method: 'GET',
    path: '/api/console/audit',
    summary: 'List audit events of an environment, newest first',
    auth: console,
    schemas: { query: forConsole(ListAuditQuery) },
    replies: { 200: AuditListReply },
    handler: (context) => auditList(context),
  }),
];
