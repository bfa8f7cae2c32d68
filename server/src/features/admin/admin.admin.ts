import { admin, route } from '../../http/route.js';
import { iso } from '../../records/schema.js';
import { describeChain } from '../anchors/anchors.js';
import { BlockchainReply, PrivacyAuditReply, StatsReply } from './admin.schema.js';
import { auditPrivacy } from './privacy-audit.js';

export const adminAdmin = [
  route({
    operationId: 'adminGetStats',
    method: 'GET',
    path: '/api/admin/stats',
    summary: 'Get counts of requests and writes since this process started',
    auth: admin,
    replies: { 200: StatsReply },
    database: false,
    handler: async ({ deps: { clock, startedAt, counters, anchoring } }) => ({
      startedAt: iso(new Date(startedAt)),
      uptimeSeconds: Math.floor((clock.now() - startedAt) / 1000),
      counters: counters.read(),
      blockchain: {
        configured: anchoring !== undefined,
        identityCount: anchoring?.status().readings?.totals.identities ?? null,
      },
    }),
  }),
  route({
    operationId: 'adminGetBlockchain',
    method: 'GET',
    path: '/api/admin/blockchain',
    summary: 'Get the state of the blockchain that records are anchored on',
    auth: admin,
    replies: { 200: BlockchainReply },
    handler: ({ deps }) => describeChain(deps),
  }),
  route({
    operationId: 'adminGetPrivacyAudit',
    method: 'GET',
    path: '/api/admin/privacy-audit',
    summary: 'Check the live database for data that must not be stored',
    description:
      'Reads the catalog of the database and a sample of its rows at each call. It shows what is stored here, not what a caller did elsewhere.',
    auth: admin,
    replies: { 200: PrivacyAuditReply },
    handler: ({ deps }) => auditPrivacy(deps),
  }),
];
