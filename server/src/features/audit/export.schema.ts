import type { Static } from 'typebox';
import { exampleOf } from '../../http/openapi/example.js';
import { AuditListReply } from './audit.schema.js';

export const EXPORT_MEDIA_TYPE = 'application/x-ndjson';

export const EXPORT_DISPOSITION = {
  description: 'The file name, with the environment and the length of the chain.',
  example: 'attachment; filename="audit-live-42.jsonl"',
} as const;

/** The last row of an audit chain, and its head. */
export const EXPORT_EXAMPLE = (() => {
  const { audit, environment, head } = exampleOf(AuditListReply, 'export') as Static<typeof AuditListReply>;
  return [...audit, { environment, head }].map((line) => `${JSON.stringify(line)}\n`).join('');
})();
