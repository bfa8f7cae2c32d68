import type { Row } from '../db/db.js';
import type { Sql } from '../db/sql.js';
import { findIdempotency, judgeIdempotency } from './idempotency.js';
import type { AuditEntry, TenantWrite, WriteRequest } from './write.js';

/** What a write does next: it sends statements, or it has ended. */
export type Step =
  | { readonly is: 'asking'; readonly statements: readonly Sql[] }
  | { readonly is: 'done'; readonly entries: readonly AuditEntry[] }
  | { readonly is: 'failed'; readonly error: unknown };

/** A write in a batch: its work, which runs until it waits for the database, and the caller's promise. */
export interface PendingWrite {
  readonly request: WriteRequest;
  /** Begins the work, which takes this for the present moment. */
  start(now: number): void;
  /** Waits for what the work does next. Statements are the same ones again until they are answered. */
  next(): Promise<Step>;
  /** Rows for what it asked; with a failure, rows for the statements before the one that failed, and nothing for the others. */
  answer(rows: readonly Row[][], failure?: unknown): void;
  /** Its transaction has committed. */
  resolve(): void;
  reject(error: unknown): void;
}

interface Asked {
  readonly statement: Sql;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

export function createPendingWrite<T>(
  request: WriteRequest,
  work: (w: TenantWrite) => Promise<T>,
  settle: { readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void },
): PendingWrite {
  const entries: (AuditEntry | (() => AuditEntry))[] = [];
  let sent: Asked[] = [];
  let waiting: Asked[] = [];
  let end: { readonly result: T } | { readonly error: unknown } | undefined;
  let failure: unknown;
  let wake = () => {};

  /** After the end none is taken: a late one would run in a transaction that is somebody else's. */
  function query(statement: Sql): Promise<Row[]> {
    const rows = new Promise<Row[]>((resolve, reject) => {
      if (end) return reject(new Error('This write has ended'));
      // PostgreSQL refuses whatever follows a failure, too.
      if (failure !== undefined) return reject(failure);
      waiting.push({ statement, resolve, reject });
      wake();
    });
    // One failure rejects all that were asked, and the work may await only one of them.
    rows.catch(() => {});
    return rows;
  }

  const w = {
    scope: request.scope,
    query,
    mutate: query,
    audit: (entry: AuditEntry | (() => AuditEntry)) => void entries.push(entry),
  } as unknown as TenantWrite;

  /** The work's first statements leave with the look-up of its Idempotency-Key: most keys are new. */
  async function run(now: number): Promise<T> {
    const { scope, idempotency } = request;
    const kept = idempotency && query(findIdempotency(scope, idempotency, now));
    const working = work(w);
    working.catch(() => {});
    if (idempotency && kept) judgeIdempotency(idempotency, await kept);
    return working;
  }

  function finished(): Step {
    if (failure !== undefined) return { is: 'failed', error: end && 'error' in end ? end.error : failure };
    if (end && 'error' in end) return { is: 'failed', error: end.error };
    try {
      if (entries.length === 0) throw new Error(`${request.action} has no audit entry`);
      const done = entries.map((entry) => (typeof entry === 'function' ? entry() : entry));
      return { is: 'done', entries: done };
    } catch (error) {
      return { is: 'failed', error };
    }
  }

  return {
    request,
    start(now) {
      run(now)
        .then(
          (result) => {
            end = { result };
          },
          (error: unknown) => {
            end = { error };
            const ended = new Error('This write has ended');
            for (const { reject } of [...sent, ...waiting]) reject(ended);
            sent = [];
            waiting = [];
          },
        )
        .finally(() => wake());
    },
    async next() {
      // What is asked for in the same turn leaves together.
      await Promise.resolve();
      while (!end && sent.length + waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.resolve();
      }
      if (sent.length === 0) {
        sent = waiting;
        waiting = [];
      }
      if (sent.length === 0) return finished();
      return { is: 'asking', statements: sent.map(({ statement }) => statement) };
    },
    answer(rows, error) {
      const answered = sent;
      sent = [];
      failure = error;
      answered.forEach(({ resolve, reject }, at) => {
        const found = rows[at];
        if (found) resolve(found);
        else reject(error);
      });
      if (error !== undefined) for (const { reject } of waiting.splice(0)) reject(error);
    },
    resolve: () => settle.resolve((end as { result: T }).result),
    reject: settle.reject,
  };
}
