import type { Database, Row } from './db.js';
import type { Query } from './sql.js';

interface Caller {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

interface Waiting {
  readonly statement: Query;
  /** Equal queries, such as those for one client, are sent once. */
  readonly callers: Caller[];
}

/**
 * A database whose queries share round trips: one is under way at a time, and queries that come during it are sent together in the
 * next one. Each reads a state that is not older than its request. For requests that take many small queries, because sending one
 * costs more than answering it.
 */
export function shareReads(db: Database): Database {
  const machines = new WeakMap<Database, Database>();
  let waiting = new Map<string, Waiting>();
  let isSending = false;

  async function send(batch: readonly Waiting[]): Promise<void> {
    const [first, second] = batch;
    try {
      const rows =
        first && !second
          ? [await db.query(first.statement)]
          : await db.read(
              'latest',
              batch.map(({ statement }) => statement),
            );
      for (const [at, { callers }] of batch.entries())
        for (const { resolve } of callers) resolve(rows[at] as Row[]);
    } catch (error) {
      // One that fails fails all that were sent with it.
      if (second) await Promise.all(batch.map((each) => send([each])));
      else for (const { reject } of first?.callers ?? []) reject(error);
    }
  }

  async function serve(): Promise<void> {
    isSending = true;
    // Queries of the same turn are sent together.
    await Promise.resolve();
    while (waiting.size > 0) {
      const batch = [...waiting.values()];
      waiting = new Map();
      await send(batch);
    }
    isSending = false;
  }

  return {
    ...db,
    query<R extends object>(statement: Query) {
      const name = JSON.stringify([statement.text, statement.values]);
      const { callers } = waiting.get(name) ?? { callers: [] as Caller[] };
      waiting.set(name, { statement, callers });
      if (!isSending) void serve();
      return new Promise<Row[]>((resolve, reject) => callers.push({ resolve, reject })) as Promise<R[]>;
    },
    near(tenantId) {
      const machine = db.near?.(tenantId) ?? db;
      if (machine === db) return this;
      const shared = machines.get(machine) ?? shareReads(machine);
      machines.set(machine, shared);
      return shared;
    },
  };
}

const shared = new WeakMap<Database, Database>();

/** The same for all who ask for it. */
export function sharedReads(db: Database): Database {
  const known = shared.get(db) ?? shareReads(db);
  shared.set(db, known);
  return known;
}
