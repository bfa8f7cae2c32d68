import type { SealedKind } from '@svc/zk/records/kinds';
import type { Random } from '../base/crypto/random.js';
import { currentRequest, runFor } from '../base/telemetry/request-context.js';
import type { Row } from '../db/db.js';
import type { Sql } from '../db/sql.js';
import { checkIdempotency, findIdempotency } from './idempotency.js';
import { withSeals } from './place-seals.js';
import { newSeal, type PlacedSeal } from './record-seal.js';
import type { AuditEntry, TenantWrite, WriteRequest } from './write.js';

/** What a write does next: it sends statements, or it has ended. */
export type Step =
  | { readonly is: 'querying'; readonly statements: readonly Sql[] }
  | { readonly is: 'done'; readonly entries: readonly AuditEntry[] }
  | { readonly is: 'failed'; readonly error: unknown };

/** A write in a batch: its work, which runs until it waits for the database, and the caller's promise. */
export interface PendingWrite {
  readonly request: WriteRequest;
  /** Nobody waits for the result any more. */
  isAbandoned(): boolean;
  /** Starts the work. `now` is the time it uses. */
  start(now: number): void;
  /** Waits for what the work does next. Returns the same statements until they have a result. */
  next(): Promise<Step>;
  /** The rows for its statements; with a failure, the rows of the statements before the one that failed. */
  receive(rows: readonly Row[][], failure?: unknown): void;
  /** The transaction has committed. */
  resolve(): void;
  reject(error: unknown): void;
}

/** What the work of a write has recorded. */
interface Audited {
  readonly entries: (AuditEntry | (() => AuditEntry))[];
  readonly seals: PlacedSeal[];
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
  random: Random,
): PendingWrite {
  // A transaction runs for several requests, but the work belongs to its own.
  const owner = currentRequest();
  const audited: Audited = { entries: [], seals: [] };
  let sent: Asked[] = [];
  let waiting: Asked[] = [];
  let end: { readonly result: T } | { readonly error: unknown } | undefined;
  let failure: unknown;
  let wake = () => {};

  /** A write that has ended sends no more statements, because its transaction may belong to another write. */
  function query(statement: Sql): Promise<Row[]> {
    const rows = new Promise<Row[]>((resolve, reject) => {
      if (end) return reject(new Error('This write has ended'));
      // PostgreSQL also rejects every statement after a failure.
      if (failure !== undefined) return reject(failure);
      waiting.push({ statement, resolve, reject });
      wake();
    });
    // A failure rejects all pending statements, and the work may await only one of them.
    rows.catch(() => {});
    return rows;
  }

  const w = {
    ...{ scope: request.scope, query, mutate: query },
    audit: (entry: AuditEntry | (() => AuditEntry)) => void audited.entries.push(entry),
    seal: (kind: SealedKind) => newSeal(random, kind, (placed) => audited.seals.push(placed)),
  } as unknown as TenantWrite;

  /** Sends the first statements together with the look-up of the Idempotency-Key, because most keys are new. */
  async function run(now: number): Promise<T> {
    const { scope, idempotency } = request;
    const kept = idempotency && query(findIdempotency(scope, idempotency, now));
    const working = work(w);
    // One of them may fail while the other is awaited, or instead of it.
    Promise.all([kept, working]).catch(() => {});
    if (idempotency && kept) checkIdempotency(idempotency, await kept);
    return working;
  }

  return {
    request,
    isAbandoned: request.isAbandoned ?? (() => false),
    start(now) {
      runFor(owner, () => run(now))
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
      // Statements requested in the same turn are sent together.
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
      if (sent.length > 0) return { is: 'querying', statements: sent.map(({ statement }) => statement) };
      if (end && 'error' in end) return { is: 'failed', error: end.error };
      return failure === undefined ? finish(request, audited) : { is: 'failed', error: failure };
    },
    receive(rows, error) {
      const received = sent;
      sent = [];
      failure = error;
      received.forEach(({ resolve, reject }, at) => {
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

/** The audit entries of a write whose work has succeeded. */
function finish({ action, actor: { deviceId } }: WriteRequest, { entries, seals }: Audited): Step {
  try {
    if (entries.length === 0) throw new Error(`${action} has no audit entry`);
    const said = entries.map((entry) => (typeof entry === 'function' ? entry() : entry));
    const made =
      deviceId === undefined
        ? said
        : said.map((entry) => ({ ...entry, metadata: { deviceId, ...entry.metadata } }));
    return { is: 'done', entries: seals.length === 0 ? made : withSeals(made, seals) };
  } catch (error) {
    return { is: 'failed', error };
  }
}
