import { admin, route } from '../../http/route.js';
import { iso } from '../../http/schema.js';
import { describeChain } from '../anchors/anchors.js';
import { BlockchainReply, PrivacyAuditReply, StatsReply } from './admin.schema.js';
import { auditPrivacy } from './privacy-audit.js';

export const adminAdmin = [
  route({
    operationId: 'adminGetStats',
    method: 'GET',
    path: '/api/admin/stats',
    summary: 'What this process has done since it started',
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
    summary: 'The chain that identities and audit heads are anchored on, if any',
    auth: admin,
    replies: { 200: BlockchainReply },
    handler: ({ deps }) => describeChain(deps),
  }),
  route({
    operationId: 'adminGetPrivacyAudit',
    method: 'GET',
    path: '/api/admin/privacy-audit',
    summary: 'Check the live database for what must not be stored',
    description:
      'Reads the catalog of the database and a sample of its rows at each call. It shows what is stored here, not what a caller did elsewhere.',
    auth: admin,
    replies: { 200: PrivacyAuditReply },
    handler: ({ deps }) => auditPrivacy(deps),
  }),
];
