import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/db.js';
import { shareReads } from '../../src/db/shared-reads.js';
import { type Query, sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';

const number = (n: number) => sql.query`select ${n}::integer as n`;
const FAILING = sql.query`select 1 / 0 as n`;

let db: Database;
/** How many queries each round trip had. */
const trips: number[] = [];
beforeAll(async () => {
  const real = (await sharedDatabase()).db;
  db = {
    ...real,
    query: <R extends object>(statement: Query) => {
      trips.push(1);
      return real.query<R>(statement);
    },
    read: (state, statements) => {
      trips.push(statements.length);
      return real.read(state, statements);
    },
  };
});
beforeEach(() => {
  trips.length = 0;
});

describe('queries of concurrent sign-ins', () => {
  it('share a round trip if they come in the same turn, and one that is equal to another is sent once', async () => {
    const shared = shareReads(db);
    const rows = await Promise.all([1, 2, 1, 3].map((n) => shared.query(number(n))));
    expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 1 }], [{ n: 3 }]]);
    expect(trips).toEqual([3]);
  });

  it('share the next round trip if they come during one, and never the one that is under way', async () => {
    const shared = shareReads(db);
    const first = shared.query(number(1));
    await Promise.resolve();
    await Promise.resolve();
    const next = [shared.query(number(1)), shared.query(number(2))];
    expect(await Promise.all([first, ...next])).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 2 }]]);
    expect(trips).toEqual([1, 2]);
  });

  it('fail alone', async () => {
    const shared = shareReads(db);
    const all = [number(1), FAILING, number(2)].map((statement) => shared.query(statement));
    expect(await Promise.allSettled(all)).toMatchObject([
      { value: [{ n: 1 }] },
      { reason: { message: expect.stringContaining('division by zero') } },
      { value: [{ n: 2 }] },
    ]);
    expect(await shared.query(number(3))).toEqual([{ n: 3 }]);
  });
});
