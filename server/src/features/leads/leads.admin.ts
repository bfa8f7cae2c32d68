import { page } from '../../http/list.js';
import { admin, route } from '../../http/route.js';
import { listLeads, serializeLead } from './leads.js';
import { LeadListReply, ListLeadsQuery } from './leads.schema.js';

export const leadsAdmin = [
  route({
    operationId: 'adminListLeads',
    method: 'GET',
    path: '/api/leads',
    summary: 'List leads, newest first',
    auth: admin,
    schemas: { query: ListLeadsQuery },
    replies: { 200: LeadListReply },
    async handler({ deps, query, setHeader }) {
      const { items, nextCursor } = await page(
        deps.cursors,
        undefined,
        `leads|${query.type ?? ''}`,
        query,
        (count, before) => listLeads(deps.db, query.type, count, before),
        (row) => row.id,
      );
      setHeader('cache-control', 'no-store');
      return { leads: items.map(serializeLead), nextCursor };
    },
  }),
];
