import { open, route } from '../../http/route.js';
import { recordLead } from './leads.js';
import { PilotBody, PilotReply, WhitepaperBody, WhitepaperReply } from './leads.schema.js';
import { readWhitepaper, WHITEPAPER_PATH } from './whitepaper.js';

/** Both forms share one rate limit. */
const limit = { name: 'leads', max: 10, windowSeconds: 60 } as const;

export const leadsPublic = [
  route({
    operationId: 'requestPilot',
    method: 'POST',
    path: '/api/leads/pilot',
    summary: 'Request a pilot',
    auth: open,
    limit,
    schemas: { body: PilotBody },
    replies: { 201: PilotReply },
    handler: async ({ deps, body }) => ({
      lead: await recordLead(deps, 'pilot', body),
    }),
  }),
  route({
    operationId: 'requestWhitepaper',
    method: 'POST',
    path: '/api/leads/whitepaper',
    summary: 'Request the whitepaper',
    auth: open,
    limit,
    schemas: { body: WhitepaperBody },
    replies: { 201: WhitepaperReply },
    handler: async ({ deps, body }) => ({
      lead: await recordLead(deps, 'whitepaper', body),
      downloadUrl: WHITEPAPER_PATH,
    }),
  }),
  route({
    operationId: 'downloadWhitepaper',
    method: 'GET',
    path: WHITEPAPER_PATH,
    summary: 'Download the whitepaper',
    auth: open,
    replies: { 200: 'application/pdf' },
    database: false,
    async handler({ setHeader }) {
      setHeader('cache-control', 'public, max-age=3600');
      setHeader('content-disposition', 'inline; filename="identity-verification.pdf"');
      return readWhitepaper();
    },
  }),
];
