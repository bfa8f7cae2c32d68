import { key, route } from '../../http/route.js';
import { auditList } from './audit.js';
import { AuditListReply, ListAuditQuery } from './audit.schema.js';

export const auditV1 = [
  route({
    operationId: 'listAuditEvents',
    method: 'GET',
    path: '/v1/audit',
    summary: 'List audit events, newest first, with the chain’s signed head',
    auth: key('audit:read'),
    schemas: { query: ListAuditQuery },
    replies: { 200: AuditListReply },
    handler: (context) => auditList(context),
  }),
];
