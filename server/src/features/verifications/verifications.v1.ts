import { exportRows } from '../../http/export.js';
import { key, route } from '../../http/route.js';
import { listText, showRow } from '../../records/list.js';
import { readOutcomes } from './outcomes.js';
import { OutcomesQuery, OutcomesReply } from './outcomes.schema.js';
import {
  createVerification,
  findVerification,
  sealedVerifications,
  serializeVerification,
  verificationListing,
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
    // The last one if a repeated request's record was deleted since.
    errors: ['user_not_found', 'user_erased', 'device_not_found', 'verification_not_found'],
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
    summary: 'List verification events, newest first by default',
    auth: key('verifications:read', { console: { role: 'auditor' } }),
    schemas: { query: schema.ListVerificationsQuery },
    replies: { 200: schema.VerificationListReply },
    compress: true,
    handler: (context) => listText(context, 'verifications', verificationListing),
  }),
  route({
    operationId: 'exportVerifications',
    method: 'GET',
    path: '/v1/verifications/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: key('verifications:read', { console: { role: 'auditor' } }),
    ...schema.verificationExport.route,
    handler: (context) =>
      exportRows(
        context,
        'verifications',
        verificationListing,
        schema.verificationExport.fields,
        sealedVerifications,
      ),
  }),
  route({
    operationId: 'getVerificationOutcomes',
    method: 'GET',
    path: '/v1/verifications/outcomes',
    summary: 'Count verification events by hour and result, and by why they failed',
    description:
      'Hours are whole hours of UTC by `occurredAt`. `from` and `to` are rounded to hours, by default the last 24; the range is at most 14 days. ' +
      'The newest 100,000 events of each method and result are counted: with more, `hours` begins with the first hour that is counted as ' +
      'a whole. `reasons` are those of the newest 10,000 failures of each method.',
    auth: key('verifications:read', { console: { role: 'auditor' } }),
    schemas: { query: OutcomesQuery },
    replies: { 200: OutcomesReply },
    compress: true,
    handler: ({ deps, scope, query }) => readOutcomes(deps.history.of(scope), deps, query),
  }),
  route({
    operationId: 'getVerification',
    method: 'GET',
    path: '/v1/verifications/:verificationId',
    summary: 'Get a verification event',
    auth: key('verifications:read', { console: { role: 'auditor' } }),
    schemas: {
      params: { verificationId: 'verification_not_found' },
      query: schema.GetVerificationQuery,
    },
    replies: { 200: schema.NamedVerificationReply },
    handler: async (context) => ({
      verification: await showRow(
        context,
        verificationListing,
        await findVerification(context.read, context.params.verificationId),
      ),
    }),
  }),
];
