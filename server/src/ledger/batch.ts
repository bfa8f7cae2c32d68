import { fail } from '../base/errors.js';
import type { Row, Transaction } from '../db/db.js';
import { rollbackTo, type Sql, savepoint } from '../db/sql.js';
import { type ChainDeps, createChains } from './audit-append.js';
import { chainName, lockFreeHeads, lockHead, type Scope } from './audit-store.js';
import { claimIdempotency } from './idempotency.js';
import type { PendingWrite, Step } from './pending-write.js';

/** A write's position in the transaction, with the number of its savepoint. */
interface Slot {
  readonly write: PendingWrite;
  readonly number: number;
  /** Some of its statements were answered: they stay, and it goes on behind the same savepoint. */
  begun: boolean;
}

/**
 * Commits several writes in one transaction, each as if it came after the one before it: what fails leaves nothing, and
 * holds nobody back. The statements of all leave together, each one's behind a savepoint, in the hope that none needs
 * more than one batch. The answers are taken in their order: who fails, or asks for more, undoes what was sent for those
 * after it, and that is sent again. Nobody is answered before the commit.
 *
 * Writes of one chain wait for its head. Writes of several wait for none, so that no chain can hold another back: those
 * whose head somebody else holds are handed back unbegun. Never throws.
 */
export async function commitBatch(
  deps: ChainDeps,
  tx: Transaction,
  writes: readonly PendingWrite[],
): Promise<readonly PendingWrite[]> {
  const now = deps.clock.now();
  const opening = createOpening(writes, now);
  const chains = createChains(deps, async (scope) => (await tx.send([lockHead(scope)])).rows[0]?.[0]);
  const committing: PendingWrite[] = [];
  const failing: { readonly write: PendingWrite; readonly error: unknown }[] = [];
  const askedAt = performance.now();
  const hold = (rows: readonly Row[][]) => {
    deps.chainWait?.((performance.now() - askedAt) / 1000);
    chains.begin(opening.read(rows));
  };
  let active = writes;
  let first = opening.statements;
  try {
    if (opening.scopes.length > 1) {
      const { rows, failure } = await tx.send(first);
      if (failure !== undefined) throw failure;
      first = [];
      hold(rows);
      active = writes.filter(({ request }) => chains.has(request.scope));
    }
    for (const write of active) write.start(now);
    let slots: Slot[] = active.map((write, number) => ({ write, number, begun: false }));
    while (slots.length > 0) {
      const round = await nextRound(slots, active.length > 1);
      const { rows, failure } = await tx.send([...first, ...round.statements]);
      // Without the head or the way back nobody can go on.
      if (rows.length < first.length) throw failure;
      if (first === opening.statements) hold(rows);
      const answers = rows.slice(first.length);
      first = [];

      let taken = 0;
      for (const { slot, step: asked, from, to } of round.parts) {
        const { write } = slot;
        if (asked.is === 'asking')
          write.answer(answers.slice(from, to), answers.length < to ? failure : undefined);
        const step = asked.is === 'asking' ? await write.next() : asked;
        if (step.is === 'asking') {
          slot.begun = true;
          const next = round.parts.slice(taken + 1).find((part) => part.from < part.to);
          if (next) first = [rollbackTo(next.slot.number)];
          break;
        }
        taken += 1;
        try {
          if (opening.isKeyTaken(write)) fail('idempotency_key_in_use');
          if (step.is === 'failed') throw step.error;
          if (opening.isRefused(write)) write.request.credential?.refuse();
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
    for (const { write, error } of failing) write.reject(error);
  } catch (error) {
    await tx.rollback();
    for (const write of active) write.reject(error);
  }
  return writes.filter((write) => !active.includes(write));
}

interface Part {
  readonly slot: Slot;
  readonly step: Step;
  /** Its statements within the round's; none when it asks for none. */
  readonly from: number;
  readonly to: number;
}

/** What all of them do next, and the statements of those that ask. */
async function nextRound(slots: readonly Slot[], isShared: boolean) {
  const steps = await Promise.all(slots.map(({ write }) => write.next()));
  const statements: Sql[] = [];
  const parts = slots.map((slot, at): Part => {
    const step = steps[at] as Step;
    const asked = step.is === 'asking' ? step.statements : [];
    if (isShared && asked.length > 0 && !slot.begun) statements.push(savepoint(slot.number));
    const from = statements.length;
    return { slot, step, from, to: statements.push(...asked) };
  });
  return { statements, parts };
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
  const refused = new Set<string>();
  const lock = scopes.length === 1 ? lockHead(scopes[0] as Scope) : lockFreeHeads(scopes);
  return {
    scopes,
    statements: [...claims, lock, ...credentials.values()] as readonly Sql[],
    /** Answers the rows of the heads that are locked now. */
    read(rows: readonly Row[][]): readonly Row[] {
      claimants.forEach((write, at) => {
        if (!rows[at]?.[0]?.free) taken.add(write);
      });
      [...credentials.keys()].forEach((name, at) => {
        if (rows[claims.length + 1 + at]?.length === 0) refused.add(name);
      });
      return rows[claims.length] ?? [];
    },
    isKeyTaken: (write: PendingWrite) => taken.has(write),
    isRefused: (write: PendingWrite) => refused.has(credentialOf.get(write) ?? ''),
  };
}
