import { fail } from '../base/errors.js';
import { DatabaseUnavailableError, type RawDatabase, type Transaction } from '../db/db.js';
import type { AppendDeps } from './audit-append.js';
import { commitBatch } from './batch.js';
import { idempotencyName } from './idempotency.js';
import { createPendingWrite } from './pending-write.js';
import type { TenantWrite, WriteRequest, Writer } from './write.js';
import { createWriteQueue, type Turn } from './write-queue.js';

/** Concurrent transactions. The remaining two of the pool's ten connections are for reads. */
const MAX_TRANSACTIONS = 8;
/** The embedded database has a single session. */
const MAX_TRANSACTIONS_EMBEDDED = 1;

interface WriterDeps extends AppendDeps {
  readonly db: RawDatabase;
}

/**
 * Writes to one audit chain commit one after another. Writes that arrive while the chain has a transaction open share its
 * next one; a lone write starts immediately. Different chains have separate transactions, several at a time
 * (docs/adr/0009-group-commit.md).
 */
export function createWriter(deps: WriterDeps): Writer {
  const queue = createWriteQueue();
  const keysInUse = new Set<string>();
  const maxTransactions = deps.db.kind === 'embedded' ? MAX_TRANSACTIONS_EMBEDDED : MAX_TRANSACTIONS;
  let transactions = 0;

  async function begin(): Promise<Transaction | undefined> {
    try {
      return await deps.db.begin();
    } catch (error) {
      // The other waiting writes would not get a connection either.
      for (const pending of queue.clear()) pending.reject(error);
      return undefined;
    }
  }

  async function commitNext({ takeBatch, release }: Turn): Promise<void> {
    const tx = await begin();
    if (tx) await commitBatch(deps, tx, takeBatch());
    release();
  }

  function serve(): void {
    while (transactions < maxTransactions) {
      const turn = queue.next();
      if (turn === undefined) return;
      transactions += 1;
      void commitNext(turn).finally(() => {
        transactions -= 1;
        serve();
      });
    }
  }

  async function write<T>(request: WriteRequest, work: (w: TenantWrite) => Promise<T>): Promise<T> {
    const { scope, idempotency } = request;
    const name = idempotency && idempotencyName(scope, idempotency);
    if (name !== undefined) {
      if (keysInUse.has(name)) fail('idempotency_key_in_use');
      keysInUse.add(name);
    }
    try {
      return await new Promise((resolve, reject) => {
        const isQueued = queue.push(createPendingWrite(request, work, { resolve, reject }));
        if (isQueued) serve();
        else reject(new DatabaseUnavailableError('Too many writes wait for this chain'));
      });
    } finally {
      if (name !== undefined) keysInUse.delete(name);
    }
  }

  return write;
}
