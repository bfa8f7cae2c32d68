import { key, route } from '../../http/route.js';
import { exportChain } from './export.js';
import { EXPORT_DISPOSITION, EXPORT_EXAMPLE, EXPORT_MEDIA_TYPE } from './export.schema.js';

export const auditExportV1 = [
  route({
    operationId: 'exportAuditEvents',
    method: 'GET',
    path: '/v1/audit/export',
    summary: 'Export the whole audit chain as JSON Lines, oldest first, followed by its signed head',
    description: 'The format, and how to check it offline, are in docs/audit.md.',
    auth: key('audit:read'),
    replies: { 200: EXPORT_MEDIA_TYPE },
    examples: { 200: EXPORT_EXAMPLE },
    replyHeaders: { 'Content-Disposition': EXPORT_DISPOSITION },
    handler: exportChain,
  }),
];
