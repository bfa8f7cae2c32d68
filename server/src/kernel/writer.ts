import { chainName } from './audit-store.js';
import type { Timers } from './clock.js';
import { type Database, DatabaseUnavailableError, type Transaction } from './db/db.js';
import { fail } from './errors.js';
import { idempotencyName } from './idempotency.js';
import type { Writer } from './write.js';
import type { ChainDeps } from './write-chains.js';
import { commitTogether } from './write-group.js';
import { createMember, type Member } from './write-member.js';
import { createWriteQueue, type WriteQueue } from './write-queue.js';

/** Writes of one chain that wait for their turn; more are refused. */
const MOST_WAITING = 1_000;
/** A transaction that takes this long is not waited for by chains that are not in it. */
const SLOW_MS = 100;
/** Chains in one transaction; 1 for a database that is spread by tenant (docs/capacity.md). */
const MOST_CHAINS = Number.POSITIVE_INFINITY;
/** Transactions at once: of many chains each, and of one chain that another node is writing. */
const MOST_SHARED = 4;
const MOST_CONTENDED = 4;

interface WriterDeps extends ChainDeps {
  readonly db: Database;
  readonly timers: Timers;
}

/**
 * Every write of a tenant and environment extends one chain, so these commit one after another whatever we do. Those that
 * come while a transaction is under way therefore share the next one, all chains in turns; a lone write leaves at once
 * (docs/adr/0009-group-commit.md). A chain that another node is writing gets a transaction of its own, to wait in.
 */
export function createWriter(deps: WriterDeps): Writer {
  const shared = createWriteQueue();
  const contended = createWriteQueue();
  const keysInUse = new Set<string>();
  let sharing = 0;
  let contending = 0;
  let startedAt = 0;
  let cancelLook: (() => void) | undefined;

  async function begin(queue: WriteQueue): Promise<Transaction | undefined> {
    try {
      return await deps.db.begin();
    } catch (error) {
      for (const member of queue.remove()) member.reject(error);
      return undefined;
    }
  }

  /** A transaction of all chains that are free by the time it begins. */
  async function share(): Promise<void> {
    const tx = await begin(shared);
    const { take, done } = shared.claim(MOST_CHAINS);
    const heldElsewhere = tx ? await commitTogether(deps, tx, take()) : [];
    for (const member of heldElsewhere) contended.push(member);
    for (const { request } of heldElsewhere)
      for (const member of shared.remove(chainName(request.scope))) contended.push(member);
    done();
    serveContended();
  }

  /** One does for all, unless it is slow. */
  function serveShared(): void {
    if (!shared.hasFree() || sharing === MOST_SHARED) return;
    const early = SLOW_MS - (deps.clock.now() - startedAt);
    if (sharing > 0 && early > 0) {
      cancelLook ??= deps.timers.after(early, () => {
        cancelLook = undefined;
        serveShared();
      });
      return;
    }
    sharing += 1;
    startedAt = deps.clock.now();
    void share().finally(() => {
      sharing -= 1;
      cancelLook?.();
      cancelLook = undefined;
      serveShared();
    });
  }

  async function contend({ take, done }: ReturnType<WriteQueue['claim']>): Promise<void> {
    const tx = await begin(contended);
    if (tx) await commitTogether(deps, tx, take());
    done();
  }

  function serveContended(): void {
    while (contended.hasFree() && contending < MOST_CONTENDED) {
      contending += 1;
      void contend(contended.claim(1)).finally(() => {
        contending -= 1;
        serveContended();
      });
    }
  }

  function enqueue(member: Member): void {
    const chain = chainName(member.request.scope);
    const queue = contended.waiting(chain) === undefined ? shared : contended;
    if ((queue.waiting(chain) ?? 0) >= MOST_WAITING) {
      member.reject(new DatabaseUnavailableError('Too many writes wait for this chain'));
      return;
    }
    queue.push(member);
    if (queue === shared) serveShared();
    else serveContended();
  }

  return async (request, work) => {
    const { scope, idempotency } = request;
    const name = idempotency && idempotencyName(scope, idempotency);
    if (name !== undefined) {
      if (keysInUse.has(name)) fail('idempotency_key_in_use');
      keysInUse.add(name);
    }
    try {
      return await new Promise((resolve, reject) => {
        enqueue(createMember(request, work, { resolve, reject }));
      });
    } finally {
      if (name !== undefined) keysInUse.delete(name);
    }
  };
}
