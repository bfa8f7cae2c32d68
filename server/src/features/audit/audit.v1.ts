import { key, route } from '../../http/route.js';
import { auditList } from './audit.js';
import { AuditListReply, ListAuditQuery } from './audit.schema.js';
import { exportChain } from './export.js';
import { EXPORT_DISPOSITION, EXPORT_EXAMPLE, EXPORT_MEDIA_TYPE } from './export.schema.js';

export const auditV1 = [
  route({
    operationId: 'listAuditEvents',
    method: 'GET',
    path: '/v1/audit',
    summary: 'List audit events, newest first, with the chain’s signed head',
    auth: key('audit:read'),
    schemas: { query: ListAuditQuery },
    replies: { 200: AuditListReply },
    compress: true,
    handler: (context) => auditList(context),
  }),
  route({
    operationId: 'exportAuditEvents',
    method: 'GET',
    path: '/v1/audit/export',
    summary: 'Export the whole audit chain as JSON Lines, oldest first, followed by its signed head',
    description: 'The format, and how to check it offline, are in docs/audit.md.',
    auth: key('audit:read', { console: { role: 'auditor' } }),
    replies: { 200: EXPORT_MEDIA_TYPE },
    examples: { 200: EXPORT_EXAMPLE },
    replyHeaders: { 'Content-Disposition': EXPORT_DISPOSITION },
    handler: exportChain,
  }),
];
