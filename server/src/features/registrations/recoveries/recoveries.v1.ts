import { key, open, route } from '../../../http/route.js';
import { contestRecovery } from './contest.js';
import { cancelRecovery, confirmRecovery, recoveryList } from './recoveries.js';
import * as schema from './recoveries.schema.js';

const params = { id: 'recovery_not_found' } as const;

export const recoveriesV1 = [
  route({
    operationId: 'listRecoveries',
    method: 'GET',
    path: '/v1/recoveries',
    summary: 'List recoveries, newest first',
    auth: key('users:recover', { console: { role: 'member' } }),
    schemas: { query: schema.ListRecoveriesQuery },
    replies: { 200: schema.RecoveryListReply },
    compress: true,
    handler: (context) => recoveryList(context),
  }),
  route({
    operationId: 'confirmRecovery',
    method: 'POST',
    path: '/v1/recoveries/:id/confirm',
    summary: 'Confirm a recovery that is held',
    description:
      'One that a revoked phone contested needs two owners, if the account had two when it was opened. With `recovery_two_person`, an owner other than the one who opened it confirms, or two if an API key opened it. It never shortens the time until the recovery is completed.',
    auth: key('users:recover', { console: { role: 'owner' } }),
    acts: ['lift_hold'],
    schemas: { params },
    replies: { 200: schema.RecoveryReply },
    errors: ['recovery_closed', 'other_member_required'],
    handler: async (context) => ({ recovery: await confirmRecovery(context, context.params.id) }),
  }),
  route({
    operationId: 'cancelRecovery',
    method: 'POST',
    path: '/v1/recoveries/:id/cancel',
    summary: 'Cancel a pending recovery',
    auth: key('users:recover', { console: { role: 'owner' } }),
    acts: ['end_recovery'],
    schemas: { params },
    replies: { 200: schema.RecoveryReply },
    errors: ['recovery_closed'],
    handler: async (context) => ({ recovery: await cancelRecovery(context, context.params.id) }),
  }),
  route({
    operationId: 'contestRecovery',
    method: 'POST',
    path: '/v1/phone/recoveries/:id/contest',
    summary: 'Contest a recovery, as a phone of the same person',
    description:
      'The proof is the credential. A phone in use cancels the recovery. One that was revoked shortly before holds it until it is confirmed.',
    auth: open,
    acts: [{ act: 'end_recovery', by: 'proof' }],
    limit: { name: 'phone-recovery-contest', max: 600, windowSeconds: 60, each: { param: 'id', max: 20 } },
    schemas: { params, body: schema.ContestBody },
    replies: { 200: schema.ContestReply },
    errors: ['verification_failed', 'recovery_closed'],
    handler: (context) => contestRecovery(context, context.params.id, context.body),
  }),
];
