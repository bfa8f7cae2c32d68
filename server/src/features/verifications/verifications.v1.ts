import { key, route } from '../../http/route.js';
import {
  createVerification,
  findVerification,
  serializeVerification,
  verificationList,
} from './verifications.js';
import * as schema from './verifications.schema.js';

export const verificationsV1 = [
  route({
    operationId: 'createVerification',
    method: 'POST',
    path: '/v1/verifications',
    summary: 'Record a verification event',
    auth: key('verifications:write'),
    schemas: { body: schema.CreateVerificationBody },
    replies: { 201: schema.VerificationReply },
    errors: ['user_not_found', 'device_not_found'],
    handler: async ({ write, deps, body }) => ({
      verification: serializeVerification(
        await write('verification.created', (w) => createVerification(w, deps, body)),
      ),
    }),
    replay: async ({ read }, id) => ({
      verification: serializeVerification(await findVerification(read, id)),
    }),
  }),
  route({
    operationId: 'listVerifications',
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List verification events, newest first',
    auth: key('verifications:read'),
    schemas: { query: schema.ListVerificationsQuery },
    replies: { 200: schema.VerificationListReply },
    compress: true,
    handler: (context) => verificationList(context),
  }),
  route({
    operationId: 'getVerification',
    method: 'GET',
    path: '/v1/verifications/:verificationId',
    summary: 'Get a verification event',
    auth: key('verifications:read'),
    schemas: { params: { verificationId: 'verification_not_found' } },
    replies: { 200: schema.VerificationReply },
    handler: async ({ read, params }) => ({
      verification: serializeVerification(await findVerification(read, params.verificationId)),
    }),
  }),
];
