import { page } from '../../kernel/list.js';
import { key, route } from '../../kernel/route.js';
import { listEvents, readSignedHead, showEvent } from './audit.js';
import { AuditListReply, ListAuditQuery } from './audit.schema.js';

export const auditV1 = [
  route({
    method: 'GET',
    path: '/v1/audit',
    summary: 'List audit events, newest first, with the chain’s signed head',
    auth: key('audit:read'),
    schemas: { query: ListAuditQuery },
    replies: { 200: AuditListReply },
    async handler({ read, deps, scope, query }) {
      const { items, nextCursor } = await page(
        deps.cursors,
        scope,
        'audit',
        query,
        (count, before) => listEvents(read, query, count, before),
        (row) => String(row.seq),
      );
      const head = await readSignedHead(read, deps);
      return { audit: items.map(showEvent), environment: scope.environment, nextCursor, head };
    },
  }),
];
