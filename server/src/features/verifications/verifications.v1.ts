import { page } from '../../kernel/list.js';
import { key, route } from '../../kernel/route.js';
import {
  createVerification,
  findVerification,
  listVerifications,
  showVerification,
} from './verifications.js';
import * as schema from './verifications.schema.js';

export const verificationsV1 = [
  route({
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Record a verification event',
    auth: key('verifications:write'),
    schemas: { body: schema.CreateVerificationBody },
    replies: { 201: schema.VerificationReply },
    errors: ['user_not_found', 'device_not_found'],
    handler: async ({ write, deps, body }) => ({
      verification: showVerification(
        await write('verification.created', (w) => createVerification(w, deps, body)),
      ),
    }),
    replay: async ({ read }, id) => ({ verification: showVerification(await findVerification(read, id)) }),
  }),
  route({
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List verification events, newest first',
    auth: key('verifications:read'),
    schemas: { query: schema.ListVerificationsQuery },
    replies: { 200: schema.VerificationListReply },
    async handler({ read, deps, scope, query }) {
      const { items, nextCursor } = await page(
        deps.cursors,
        scope,
        'verifications',
        query,
        (count, before) => listVerifications(read, query, count, before),
        (row) => row.id,
      );
      return { verifications: items.map(showVerification), environment: scope.environment, nextCursor };
    },
  }),
];
