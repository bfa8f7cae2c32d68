import { fail } from '../base/errors.js';
import { isLockTimeout, type Row, type Transaction } from '../db/db.js';
import { rollbackTo, type Sql, savepoint } from '../db/sql.js';
import { type ChainDeps, createChains } from './audit-append.js';
import { chainName, lockAvailableHeads, lockHead, type Scope } from './audit-store.js';
import { claimIdempotency } from './idempotency.js';
import type { PendingWrite, Step } from './pending-write.js';

/** A write's position in the transaction, with the number of its savepoint. */
interface Slot {
  readonly write: PendingWrite;
  readonly number: number;
  /** Some of its statements have succeeded. They are not repeated, and it continues behind the same savepoint. */
  begun: boolean;
}

export interface Committed {
  /** Writes that were not started, because another node is writing their chain. */
  readonly lockedElsewhere: readonly PendingWrite[];
  /** Chains that waited too long for a lock, so the transaction was given up. Writes behind it would wait as long. */
  readonly blocked: { readonly chains: readonly string[]; readonly error: unknown } | undefined;
}

/**
 * Commits writes in one transaction. The result is the same as if each ran after the one before it: a write that fails leaves
 * nothing and does not affect the others.
 *
 * The first statements of all writes are sent in one batch, each write's behind a savepoint. The responses are processed in
 * order. A write that fails or sends more statements rolls back to the savepoint of the next one, whose statements are sent
 * again. No write returns before the commit.
 *
 * Writes of a single chain wait for its head. A transaction of several chains never waits for a head, so one chain can't delay
 * another. Never throws.
 */
export async function commitBatch(
  deps: ChainDeps,
  tx: Transaction,
  writes: readonly PendingWrite[],
): Promise<Committed> {
  const now = deps.clock.now();
  const opening = createOpening(writes, now);
  const chains = createChains(deps, async (scope) => {
    const { rows, failure } = await tx.send([lockHead(scope)]);
    if (failure !== undefined) throw failure;
    return rows[0]?.[0];
  });
  const committing: PendingWrite[] = [];
  const failing: { readonly write: PendingWrite; readonly error: unknown }[] = [];
  const startedAt = performance.now();
  const recordHeads = (rows: readonly Row[][]) => {
    deps.chainWait?.((performance.now() - startedAt) / 1000);
    chains.begin(opening.read(rows));
  };
  let active = writes;
  let first = opening.statements;
  let blocked: Committed['blocked'];
  /** The chains of what is being sent, before it is known whose statement fails. */
  let sending = opening.scopes.map(chainName);
  try {
    if (opening.scopes.length > 1) {
      const { rows, failure } = await tx.send(first);
      if (failure !== undefined) throw failure;
      first = [];
      recordHeads(rows);
      active = writes.filter(({ request }) => chains.has(request.scope));
    }
    for (const write of active) write.start(now);
    let slots: Slot[] = active.map((write, number) => ({ write, number, begun: false }));
    while (slots.length > 0) {
      const round = await nextRound(slots, active.length > 1);
      const { rows, failure } = await tx.send([...first, ...round.statements]);
      // Without the head or the rollback to a savepoint no write can continue.
      if (rows.length < first.length) throw failure;
      if (first === opening.statements) recordHeads(rows);
      const results = rows.slice(first.length);
      first = [];
      if (isLockTimeout(failure)) {
        const waiting = round.parts.find(({ to }) => results.length < to);
        if (waiting) sending = [chainName(waiting.slot.write.request.scope)];
        throw failure;
      }
      // The writes before it can't be kept apart from its own: a rollback would find the savepoint of an earlier round.
      if (failure !== undefined && round.savepoints.has(results.length)) throw failure;

      let taken = 0;
      for (const { slot, step: pending, from, to } of round.parts) {
        const { write } = slot;
        if (pending.is === 'querying')
          write.receive(results.slice(from, to), results.length < to ? failure : undefined);
        const step = pending.is === 'querying' ? await write.next() : pending;
        if (step.is === 'querying') {
          slot.begun = true;
          const next = round.parts.slice(taken + 1).find((part) => part.from < part.to);
          if (next) first = [rollbackTo(next.slot.number)];
          break;
        }
        taken += 1;
        try {
          if (opening.isKeyTaken(write)) fail('idempotency_key_in_use');
          if (step.is === 'failed') throw step.error;
          if (opening.isRejected(write)) write.request.credential?.reject();
          await chains.append(write.request, step.entries);
          committing.push(write);
        } catch (error) {
          failing.push({ write, error });
          if (slot.begun || from < to) {
            first = [rollbackTo(slot.number)];
            break;
          }
        }
      }
      slots = slots.slice(taken);
    }
    if (committing.length === 0) await tx.rollback();
    else await tx.commit([...first, ...chains.statements()]);
    for (const write of committing) write.resolve();
    if (committing.length > 0) for (const chain of chains.grown()) deps.appended?.(chain);
    for (const { write, error } of failing) write.reject(error);
  } catch (error) {
    await tx.rollback();
    if (isLockTimeout(error)) blocked = { chains: sending, error };
    for (const write of active) write.reject(error);
  }
  return { lockedElsewhere: writes.filter((write) => !active.includes(write)), blocked };
}

interface Part {
  readonly slot: Slot;
  readonly step: Step;
  /** The write's statements within the round's. Empty if it sends none. */
  readonly from: number;
  readonly to: number;
}

/** What each write does next, and the statements of those that send some. */
async function nextRound(slots: readonly Slot[], isShared: boolean) {
  const steps = await Promise.all(slots.map(({ write }) => write.next()));
  const statements: Sql[] = [];
  /** Their positions among the statements. */
  const savepoints = new Set<number>();
  const parts = slots.map((slot, at): Part => {
    const step = steps[at] as Step;
    const requested = step.is === 'querying' ? step.statements : [];
    if (isShared && requested.length > 0 && !slot.begun)
      savepoints.add(statements.push(savepoint(slot.number)) - 1);
    const from = statements.length;
    return { slot, step, from, to: statements.push(...requested) };
  });
  return { statements, savepoints, parts };
}

/** What comes before all writes: their Idempotency-Keys, their chains' heads, and their credentials. */
function createOpening(writes: readonly PendingWrite[], now: number) {
  const scopes = [...new Map(writes.map(({ request: { scope } }) => [chainName(scope), scope])).values()];
  const claimants = writes.filter(({ request }) => request.idempotency !== undefined);
  const claims = claimants.flatMap(({ request: { scope, idempotency } }) =>
    idempotency ? [claimIdempotency(scope, idempotency)] : [],
  );
  // Callers of one moment mostly share a credential, which is then judged once.
  const credentials = new Map<string, Sql>();
  const credentialOf = new Map<PendingWrite, string>();
  for (const write of writes) {
    const statement = write.request.credential?.revalidate(now);
    if (statement === undefined) continue;
    const name = JSON.stringify(statement);
    credentialOf.set(write, name);
    credentials.set(name, statement);
  }
  const taken = new Set<PendingWrite>();
  const rejected = new Set<string>();
  const locks = scopes.length === 1 ? lockHead(scopes[0] as Scope) : lockAvailableHeads(scopes);
  const claimed = claims.length;
  return {
    scopes,
    statements: [...claims, locks, ...credentials.values()] as readonly Sql[],
    /** Returns the locked heads. */
    read(rows: readonly Row[][]): readonly Row[] {
      claimants.forEach((write, at) => {
        if (!rows[at]?.[0]?.free) taken.add(write);
      });
      [...credentials.keys()].forEach((name, at) => {
        if (rows[claimed + 1 + at]?.length === 0) rejected.add(name);
      });
      return rows[claimed] ?? [];
    },
    isKeyTaken: (write: PendingWrite) => taken.has(write),
    isRejected: (write: PendingWrite) => rejected.has(credentialOf.get(write) ?? ''),
  };
}
