import { key, route } from '../../kernel/route.js';
import { EXPORT_MEDIA_TYPE, exportChain } from './export.js';

export const auditExportV1 = [
  route({
    method: 'GET',
    path: '/v1/audit/export',
    summary: 'The whole audit chain as JSON Lines, oldest first, closed by its signed head',
    description: 'The format, and how to check it offline, are in docs/audit.md.',
    auth: key('audit:read'),
    replies: { 200: EXPORT_MEDIA_TYPE },
    handler: exportChain,
  }),
];
