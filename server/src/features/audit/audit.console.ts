import { console, route } from '../../http/route.js';
import { ConsoleAuditList, ConsoleAuditQuery, ExportQuery } from './audit.schema.js';
import { exportChain } from './export.js';
import { EXPORT_DISPOSITION, EXPORT_EXAMPLE, EXPORT_MEDIA_TYPE } from './export.schema.js';
import { searchedAudit } from './search.js';

export const auditConsole = [
  route({
    operationId: 'consoleListAuditEvents',
    method: 'GET',
    path: '/api/console/audit',
    summary: 'List audit events of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleAuditQuery },
    replies: { 200: ConsoleAuditList },
    compress: true,
    handler: (context) => searchedAudit(context),
  }),
  route({
    operationId: 'consoleExportAuditEvents',
    method: 'GET',
    path: '/api/console/audit/export',
    summary:
      'Export the whole audit chain of an environment as JSON Lines, oldest first, followed by its signed head',
    description: 'The format, and how to check it offline, are in docs/audit.md.',
    auth: console,
    schemas: { query: ExportQuery },
    replies: { 200: EXPORT_MEDIA_TYPE },
    examples: { 200: EXPORT_EXAMPLE },
    replyHeaders: { 'Content-Disposition': EXPORT_DISPOSITION },
    handler: exportChain,
  }),
];
