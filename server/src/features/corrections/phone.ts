import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { shownName } from '@svc/zk/approvals/shown-name';
import { correctBind, correctDeclineBind } from '@svc/zk/field';
import {
  type Correction,
  type CorrectionStatement,
  correctionDigest,
  correctionSha256,
} from '@svc/zk/time/correction';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { iso } from '../../records/schema.js';
import { findAttendance } from '../attendance/attendance.js';
import { type Claim, decide, type PhoneCaller, phoneOf, prove, reject } from '../proofs/proofs.js';
import { requireLiving } from '../users/users.js';
import type { PhoneDecideBody, PhoneProposeBody } from './corrections.schema.js';
import * as store from './corrections.store.js';
import { actionOf, apply, settle } from './decide.js';
import {
  auditCorrection,
  proposed,
  requireCorrect,
  requireCorrectionForm,
  rowsOf,
  serializeCorrection,
} from './proposals.js';
import { siteOfCorrection } from './site.js';

/** How long a person can take back their own punch alone. */
const TAKE_BACK_MS = 5 * 60_000;
const COMPANY = 'An account';

type Context = Pick<BaseContext, 'deps' | 'address'>;

/** What the person's phone shows and proves. */
const statementOf = (
  { config }: Pick<Deps, 'config'>,
  scope: Scope,
  companyName: string,
  of: { readonly id: string; readonly sha256: string; readonly createdAt: string },
): CorrectionStatement => ({
  ...{ v: 1, issuer: config.baseUrl, tenant: scope.tenantId, environment: scope.environment },
  company: shownName(companyName, COMPANY),
  ...{ correctionId: of.id, correctionSha256: of.sha256, createdAt: of.createdAt },
});

const proofOf = (input: Pick<Static<typeof PhoneProposeBody>, 'proof' | 'publicSignals'>) => ({
  proof: input.proof,
  publicSignals: input.publicSignals,
});

/** A correction that takes back one punch of the last five minutes, which the person made themselves. */
async function isTakingBack(caller: PhoneCaller, { changes }: Correction, now: number): Promise<boolean> {
  const [change] = changes;
  if (changes.length !== 1 || change?.new !== null || change.old === null) return false;
  const row = await findAttendance(caller.read, change.old.id);
  return row?.evidence === 'proved' && now - row.created_at.getTime() <= TAKE_BACK_MS;
}

/**
 * The person proposes a correction on their phone, which is their own yes. Taking back one's own punch within five minutes needs nobody
 * else. The same request again changes nothing.
 */
export async function proposeByPhone(context: Context, input: Static<typeof PhoneProposeBody>) {
  const caller = await phoneOf(context, input);
  const { deps, read, scope } = caller;
  const id = input.id.toLowerCase();
  const createdAt = iso(new Date(input.createdAt));
  const correction = requireCorrectionForm(input.correction, 'body.correction');
  const sha256 = correctionSha256(correction);
  const statement = statementOf(deps, scope, caller.tenant?.companyName ?? '', { id, sha256, createdAt });
  const digest = correctionDigest(statement);
  const claim: Claim = {
    purpose: 'correct',
    action: 'attendance.correction_proposed',
    input: { ...input, nonce: id, timestamp: input.createdAt },
    bindOf: ({ timestampMs, nonce, ...where }) =>
      correctBind({ ...where, correctionId: nonce, digest, decidedAtMs: timestampMs }),
    spends: false,
    confirms: false,
  };
  const proved = await prove(caller, claim);
  if (proved.prover.user_id !== correction.userId) return reject(caller, claim, 'wrong_binding');
  const now = proved.at.getTime();
  const existing = await store.findCorrection(read, id);
  if (existing?.user_id === correction.userId && existing.correction_sha256 === sha256)
    return serializeCorrection(existing, scope.environment, now);
  const path = 'body.correction.changes';
  const rows = await rowsOf(
    read,
    correction.changes.map(({ old }) => old?.id ?? null),
  );
  requireCorrect(rows, correction, path, now);
  const isAlone = await isTakingBack(caller, correction, now);
  const { at } = proved;
  const row = await decide(caller, proved, async (w, prover) => {
    const user = await requireLiving(w, prover.user_id);
    const by = {
      proposed_by: 'person',
      member_id: null,
      person_by: 'phone',
      person_at: at,
      member_at: null,
    } as const;
    const siteId = await siteOfCorrection(w, correction, { rows, own: user.site_id, path });
    const waiting = proposed({ ...correction, id, siteId, createdAt: at }, by);
    const row = isAlone ? { ...waiting, state: 'agreed' as const, ended_at: at } : waiting;
    auditCorrection(w, row, { by: 'person', changes: row.changes.length, identityId: prover.id });
    const proof = {
      ...{ statement: canonicalJson(statement), digest, did: prover.did, identityId: prover.id },
      ...{ proof: proofOf(input), provedAt: new Date(input.createdAt) },
    };
    if (!(await store.insertCorrection(w, row, proof))) return fail('correction_closed');
    if (isAlone) {
      w.audit({
        ...{ action: 'attendance.correction_agreed', entityType: 'attendance_correction', entityId: id },
        metadata: { userId: row.user_id, state: 'agreed', by: 'person' },
      });
      await apply(w, deps, row, at);
    }
    return row;
  });
  return serializeCorrection(row, scope.environment, now);
}

/** The person decides about what a member proposed, by a proof over what their phone showed. */
export async function decideByPhone(context: Context, id: string, input: Static<typeof PhoneDecideBody>) {
  const caller = await phoneOf(context, input);
  const { deps, read, scope } = caller;
  const found = await store.findCorrection(read, id);
  const statement = statementOf(deps, scope, caller.tenant?.companyName ?? '', {
    id,
    sha256: found?.correction_sha256 ?? '',
    createdAt: iso(found?.created_at ?? new Date(0)),
  });
  const digest = correctionDigest(statement);
  const { decision } = input;
  const state = decision === 'agree' ? ('agreed' as const) : ('contested' as const);
  const claim: Claim = {
    purpose: decision === 'agree' ? 'correct' : 'correct-decline',
    action: actionOf(state),
    input: { ...input, nonce: id, timestamp: input.decidedAt },
    bindOf: ({ timestampMs, nonce: _, ...where }) => {
      const fields = { ...where, correctionId: id, digest: input.digest, decidedAtMs: timestampMs };
      return decision === 'agree' ? correctBind(fields) : correctDeclineBind(fields);
    },
    spends: false,
    confirms: false,
  };
  const proved = await prove(caller, claim);
  const isTheirs = found?.user_id === proved.prover.user_id && digest === input.digest;
  if (found === undefined || !isTheirs) return reject(caller, claim, 'wrong_binding');
  if (found.proposed_by === 'person') return fail('correction_waits_for_member');
  const row = await decide(caller, proved, (w, prover) => {
    const proof = {
      ...{ statement: canonicalJson(statement), digest, did: prover.did, identityId: prover.id },
      ...{ proof: proofOf(input), provedAt: new Date(input.decidedAt) },
    };
    return settle(w, deps, id, { state, person: { by: 'phone', proof } }, proved.at);
  });
  return serializeCorrection(row, scope.environment, proved.at.getTime());
}
