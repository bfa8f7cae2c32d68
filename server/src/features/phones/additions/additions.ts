import { commitmentFromHex, commitmentToHex, joinBind } from '@svc/zk/field';
import { commitToOpening, hashOfA } from '@svc/zk/rendezvous';
import type { Static } from 'typebox';
import { networkOf } from '../../../base/address.js';
import { fail, invalid } from '../../../base/errors.js';
import type { Database } from '../../../db/db.js';
import type { BaseContext } from '../../../http/route.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader, type Write } from '../../../ledger/write.js';
import { canonicalDid } from '../../../model/did.js';
import { onlyVisible } from '../../../model/visible.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import { followCode } from '../../codes/codes.js';
import { readBrand } from '../../profile/profile.js';
import { judge, readUse } from '../../proofs/proofs.js';
import { NEW_NAMES } from '../authorization.js';
import type { AnswerBody, JoinBody, RevealBody } from './additions.schema.js';
import * as store from './additions.store.js';

export { ADDITION_EXPIRY, deleteRestoredAdditions, eraseAdditions } from './additions.store.js';

/** The topic of the messages that an addition has changed. */
export const ADDITION_TOPIC = 'identity_addition';

export type AdditionContext = Pick<BaseContext, 'deps' | 'address'>;

/** What one phone tells the other, as far as the addition has come. */
export const serializeAddition = (row: store.AdditionRow, inForceAt: Date | null = null) => ({
  id: row.id,
  state: row.state,
  expiresAt: iso(row.expires_at),
  did: row.did,
  a: row.a,
  nonce: row.nonce,
  timestamp: row.timestamp_ms,
  c: row.c,
  newDid: row.new_did,
  newCommitment: row.new_commitment,
  b: row.b,
  newProof: row.new_proof?.proof ?? null,
  newPublicSignals: row.new_proof?.publicSignals ?? null,
  inForceAt: isoOrNull(inForceAt),
});

export async function requireAddition({ deps }: Pick<AdditionContext, 'deps'>, id: string) {
  const row = await store.findAddition(deps.db, id, new Date(deps.clock.now()));
  return row ?? fail('addition_not_found');
}

/** The addition that the phone with `a` has opened. Nobody else knows `a` before it is revealed. */
export async function requireOwnAddition(context: Pick<AdditionContext, 'deps'>, id: string, a: string) {
  const row = await requireAddition(context, id);
  return hashOfA(a) === row.a_hash ? row : fail('addition_not_found', { because: 'a' });
}

/** Tells the other phone of a step. The response is the row as the step has left it: reading it again could fail after the step. */
export function afterStep({ deps }: Pick<AdditionContext, 'deps'>, row: store.AdditionRow) {
  deps.bus.publish(ADDITION_TOPIC, row.id);
  return { addition: serializeAddition(row) };
}

/** The new phone commits to its identity. The first one wins, and a code leads to its addition until that expires. */
export async function joinAddition(
  { deps, address }: AdditionContext,
  code: string,
  { c }: Static<typeof JoinBody>,
) {
  const now = new Date(deps.clock.now());
  const found = await deps.codeGuard.watch({ address }, () =>
    followCode(deps, 'addition', code, now, ({ scope, subjectId }) =>
      store.findAdditionIn(deps.db, scope, subjectId, now),
    ),
  );
  if (found === undefined) return fail('addition_not_found', { because: 'code' });
  const { scope, companyName } = found.code;
  const brand = await readBrand(reader(deps.db, scope));
  if (!(await store.joinAddition(unaudited(deps.db, 'additions'), found, c, now)))
    fail('addition_closed', { because: 'joined before' });
  deps.bus.publish(ADDITION_TOPIC, found.id);
  return {
    addition: {
      id: found.id,
      ...scope,
      companyName: onlyVisible(companyName),
      ...brand,
      did: found.did,
      expiresAt: iso(found.expires_at),
    },
  };
}

/** The old phone reveals `a`, after the new one has committed. */
export async function revealAddition(
  context: AdditionContext,
  id: string,
  { a, ...use }: Static<typeof RevealBody>,
) {
  const { deps } = context;
  const row = await requireOwnAddition(context, id, a);
  const now = deps.clock.now();
  const { nonce, timestampMs } = readUse(deps, use, now);
  const revealed = { a, nonce, timestampMs };
  if (!(await store.revealAddition(unaudited(deps.db, 'additions'), row, revealed, new Date(now))))
    fail('addition_closed', { because: row.state });
  return afterStep(context, { ...row, state: 'revealed', a, nonce, timestamp_ms: timestampMs });
}

/**
 * The new phone opens what it committed to, and proves that it has the secret. An answer that is wrong changes nothing: it gets the
 * same 401 after one verification, whatever is wrong with it.
 */
export async function answerAddition(context: AdditionContext, id: string, input: Static<typeof AnswerBody>) {
  const { deps, address } = context;
  const value = commitmentFromHex(input.newCommitment);
  if (value === null) return invalid('body.newCommitment', 'must be below the BN254 scalar field');
  const { newProof: proof, newPublicSignals: publicSignals, b } = input;
  const source = { name: networkOf(address), keyless: true, priority: 'low' } as const;
  const sent = { proof, publicSignals, names: NEW_NAMES };
  const opening = { newDid: canonicalDid(input.newDid), newCommitment: commitmentToHex(value), b };
  const { newDid, newCommitment } = opening;
  const { statement, flaw, at } = await judge({ deps, source }, sent, async () => {
    const row = await requireAddition(context, id);
    const { state, nonce, timestamp_ms: timestampMs, did, environment, tenant_id: tenantId } = row;
    if (state !== 'revealed' || nonce === null || timestampMs === null)
      return fail('addition_closed', { because: state });
    if (newDid === did) invalid('body.newDid', 'must not be the DID of the other phone');
    const bound = { tenantId, environment, nonce, timestampMs, did, newCommitment };
    return { purpose: 'join', did: newDid, commitment: newCommitment, bindOf: () => joinBind(bound), row };
  });
  const { row } = statement;
  if (flaw !== undefined || commitToOpening(opening) !== row.c)
    fail('verification_failed', { because: flaw ?? 'it opens something else' });
  const answer = { ...opening, proof: { proof, publicSignals } };
  if (!(await store.answerAddition(unaudited(deps.db, 'additions'), row, answer, at)))
    fail('addition_closed', { because: 'ended concurrently' });
  const opened = { new_did: newDid, new_commitment: newCommitment, b, new_proof: answer.proof };
  return afterStep(context, { ...row, ...opened, state: 'opened' });
}

/**
 * Completes an addition in the write that adds its identity. Its digits were right, or the old phone would have rejected it. `unknown`
 * for one of another phone, or that has expired; `closed` if it is not open to these values.
 */
export async function completeAddition(
  w: Write,
  completion: store.Completion,
  now: Date,
): Promise<'completed' | 'rejected' | 'closed' | 'unknown'> {
  if (await store.completeAddition(w, completion, now)) return 'completed';
  const state = await store.findState(w, completion, now);
  if (state === undefined) return 'unknown';
  return state === 'rejected' ? 'rejected' : 'closed';
}

/** The state of each addition, as the requests that wait for its change compare it. */
export const additionStates = (db: Database, ids: readonly string[]) => store.additionStates(db, ids);
