import { admin, route } from '../../http/route.js';
import { listLeads } from './leads.js';
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
    compress: true,
    async handler(context) {
      const leads = await listLeads(context);
      context.setHeader('cache-control', 'no-store');
      return leads;
    },
  }),
];
