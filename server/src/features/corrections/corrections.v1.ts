import { type Context, console, key, open, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { serializeAttendance } from '../attendance/attendance.js';
import * as schema from './corrections.schema.js';
import type { CorrectionRow } from './corrections.store.js';
import { decideByMember, recordAsserted, withdrawByMember } from './decide.js';
import { decideByPhone, proposeByPhone } from './phone.js';
import { listCorrections, proposeByMember, requireCorrection, serializeCorrection } from './proposals.js';

const params = { id: 'correction_not_found' } as const;
/** Only people with the right agree for the account, never a program. */
const byMember = console({ role: 'member', right: 'hours' });
const readers = key('attendance:read', { console: { role: 'member', right: 'sheets' } });

const shown = ({ deps, scope }: Pick<Context<typeof byMember>, 'deps' | 'scope'>, row: CorrectionRow) => ({
  correction: serializeCorrection(row, scope.environment, deps.clock.now()),
});

export const correctionsV1 = [
  route({
    operationId: 'proposeCorrection',
    method: 'POST',
    path: '/v1/attendance/corrections',
    summary: 'Propose a correction of a person’s attendance',
    description:
      'Proposing is the yes of the account, and the person decides on their phone or with their PIN. At most ten changes. Nothing changes before both sides agree, and the events that are replaced stay.',
    auth: byMember,
    acts: ['correct_hours'],
    schemas: { query: EnvironmentQuery, body: schema.ProposeBody },
    replies: { 201: schema.CorrectionReply },
    errors: ['user_not_found', 'user_erased', 'correction_of_oneself'],
    handler: async (context) => shown(context, await proposeByMember(context, context.body)),
  }),
  route({
    operationId: 'listCorrections',
    method: 'GET',
    path: '/v1/attendance/corrections',
    summary: 'List corrections, newest first',
    auth: readers,
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.ListReply },
    compress: true,
    handler: (context) => listCorrections(context),
  }),
  route({
    operationId: 'getCorrection',
    method: 'GET',
    path: '/v1/attendance/corrections/:id',
    summary: 'Get a correction',
    auth: readers,
    schemas: { params },
    replies: { 200: schema.CorrectionReply },
    handler: async ({ read, deps, scope, principal, params: { id } }) => {
      const row = await requireCorrection(read, id, principal);
      return { correction: serializeCorrection(row, scope.environment, deps.clock.now()) };
    },
  }),
  route({
    operationId: 'decideCorrection',
    method: 'POST',
    path: '/v1/attendance/corrections/:id/decide',
    summary: 'Agree to a correction that a person proposed, or contest it',
    description: 'Contested, both versions stay on the sheet. Of two decisions at the same time, one counts.',
    auth: byMember,
    acts: ['correct_hours'],
    schemas: { params, query: EnvironmentQuery, body: schema.DecideBody },
    replies: { 200: schema.CorrectionReply },
    errors: [
      'correction_closed',
      'correction_outdated',
      'correction_waits_for_person',
      'correction_of_oneself',
    ],
    handler: async (context) =>
      shown(context, await decideByMember(context, context.params.id, context.body.decision)),
  }),
  route({
    operationId: 'withdrawCorrection',
    method: 'POST',
    path: '/v1/attendance/corrections/:id/withdraw',
    summary: 'Withdraw a correction that the account proposed',
    auth: byMember,
    acts: ['correct_hours'],
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.CorrectionReply },
    errors: ['correction_closed', 'correction_waits_for_member'],
    handler: async (context) => shown(context, await withdrawByMember(context, context.params.id)),
  }),
  route({
    operationId: 'recordCorrection',
    method: 'POST',
    path: '/v1/attendance/corrections/:id/record',
    summary: 'Record what the account says of a correction without agreement',
    description:
      'After the person contested it, after 30 days, or when they have left: the new events become `asserted` ones, beside those of the person. The phone of the person shows them.',
    auth: byMember,
    acts: ['correct_hours'],
    schemas: { params, query: EnvironmentQuery },
    replies: { 201: schema.RecordReply },
    errors: ['correction_closed', 'correction_open', 'correction_of_oneself'],
    handler: async (context) => {
      const { row, attendance } = await recordAsserted(context, context.params.id);
      return { ...shown(context, row), attendance: attendance.map(serializeAttendance) };
    },
  }),
];

const claim = ['verification_failed', 'identity_changed', 'chain_unavailable'] as const;
const limit = (name: string) => ({ name: `phone-corrections-${name}`, max: 600, windowSeconds: 60 });

/** What a phone does without an API key. */
export const correctionsPhone = [
  route({
    operationId: 'proposeOwnCorrection',
    method: 'POST',
    path: '/v1/phone/attendance/corrections',
    summary: 'Propose a correction of one’s own attendance',
    description:
      'The proof is bound to the statement `svc-correction-1`, whose id the phone draws. The same request again changes nothing. Taking back one’s own punch within five minutes is agreed by the person alone.',
    auth: open,
    limit: limit('propose'),
    schemas: { body: schema.PhoneProposeBody },
    replies: { 201: schema.CorrectionReply },
    errors: [...claim, 'correction_closed', 'correction_outdated', 'user_erased', 'user_not_found'],
    noStore: true,
    handler: async (context) => ({ correction: await proposeByPhone(context, context.body) }),
  }),
  route({
    operationId: 'decideOwnCorrection',
    method: 'POST',
    path: '/v1/phone/attendance/corrections/:id/decide',
    summary: 'Agree to a correction of one’s own attendance, or contest it',
    description: 'The proof is bound to the digest of the statement that the phone showed.',
    auth: open,
    limit: limit('decide'),
    schemas: { params, body: schema.PhoneDecideBody },
    replies: { 200: schema.CorrectionReply },
    errors: [
      ...claim,
      'correction_closed',
      'correction_outdated',
      'correction_waits_for_member',
      'correction_of_oneself',
    ],
    noStore: true,
    handler: async (context) => ({
      correction: await decideByPhone(context, context.params.id.toLowerCase(), context.body),
    }),
  }),
];
