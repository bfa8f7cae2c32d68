import { describe, expect, it, vi } from 'vitest';
import type { Database, Row } from '../../db/db.js';
import { type Query, sql } from '../../db/sql.js';
import { createHistory } from './history.js';

const SCOPE = { tenantId: '0197f2c0-0000-7000-8000-000000000001', environment: 'live' } as const;
const LIST = sql.query`select name from devices`;
const at = (seq: number, hash = `hash ${seq}`) => ({ seq, hash });

/** A server whose answer to each statement is chosen by its text. */
function server(answers: { head?: Row[]; contains?: boolean; list?: string }, waiting = 0) {
  const answer = ({ text }: Query): Row[] => {
    if (text.includes('from audit_heads')) return answers.head ?? [];
    if (text.includes('from audit_events')) return answers.contains ? [{ seq: 1 }] : [];
    if (text.includes('pg_current_wal')) return [{ lsn: '0/1' }];
    return [{ name: answers.list }];
  };
  const read = vi.fn(async (_: string, statements: readonly Query[]) => statements.map(answer));
  const query = vi.fn(async (statement: Query) => answer(statement));
  const db = { kind: 'postgres', read, query, pool: () => ({ total: 1, idle: 1, waiting }) };
  return db as typeof db & Database;
}

function historyOf(primary: ReturnType<typeof server>, replica: ReturnType<typeof server>) {
  const watch = {
    status: 'ok' as 'ok' | 'degraded' | 'down',
    fail: vi.fn(() => {
      watch.status = 'down';
    }),
  };
  const history = createHistory({ primary, replica, watch });
  return { history, watch, list: () => history.of(SCOPE).query(LIST) };
}

const PRIMARY = [{ name: 'primary' }];
const REPLICA = [{ name: 'replica' }];

describe('a list', () => {
  it.each([
    ['at the same position', { head: [at(5)] }, {}, REPLICA, 'replica'],
    ['behind', { head: [at(4)] }, {}, PRIMARY, 'behind'],
    ['without the chain, or no standby any more', { head: [] }, {}, PRIMARY, 'behind'],
    [
      'further, at a position that the primary has',
      { head: [at(6)] },
      { contains: true },
      REPLICA,
      'replica',
    ],
    ['further, at a position that is not visible on the primary', { head: [at(6)] }, {}, PRIMARY, 'behind'],
  ])('with a replica %s', async (_, onReplica, onPrimary, expected, source) => {
    const primary = server({ head: [at(5)], list: 'primary', ...onPrimary });
    const { history, watch, list } = historyOf(primary, server({ list: 'replica', ...onReplica }));
    expect(await list()).toEqual(expected);
    expect(history.reads).toEqual({ replica: 0, behind: 0, unavailable: 0, [source]: 1 });
    expect(watch.status).toBe('ok');
  });

  it('never comes from a database with another history', async () => {
    const replica = server({ head: [at(5, 'another')], list: 'replica' });
    const { watch, list } = historyOf(server({ head: [at(5)], list: 'primary' }), replica);
    expect(await list()).toEqual(PRIMARY);
    expect(watch.fail).toHaveBeenCalledOnce();
  });

  it.each([
    ['40001', 'canceling statement due to conflict with recovery'],
    ['42P01', 'relation "devices" does not exist'],
    ['ECONNRESET', 'read ECONNRESET'],
  ])('comes from the primary when the replica fails with %s', async (code, message) => {
    const replica = server({});
    replica.read.mockRejectedValue(Object.assign(new Error(message), { code }));
    const { history, watch, list } = historyOf(server({ head: [at(5)], list: 'primary' }), replica);
    expect(await list()).toEqual(PRIMARY);
    expect(await list()).toEqual(PRIMARY);
    expect(watch.fail).toHaveBeenCalledOnce();
    expect(replica.read).toHaveBeenCalledOnce();
    expect(history.reads).toEqual({ replica: 0, behind: 0, unavailable: 2 });
  });

  it('costs the primary one statement while the replica is not used', async () => {
    const primary = server({ head: [at(5)], list: 'primary' });
    const replica = server({ head: [at(5)], list: 'replica' });
    const { watch, list } = historyOf(primary, replica);
    watch.status = 'degraded';
    expect(await list()).toEqual(PRIMARY);
    expect(primary.query).toHaveBeenCalledOnce();
    expect(primary.read).not.toHaveBeenCalled();
    expect(replica.read).not.toHaveBeenCalled();
  });

  it('comes from the primary while too many wait for the replica', async () => {
    const replica = server({ head: [at(5)], list: 'replica' }, 100);
    const { list } = historyOf(server({ head: [at(5)], list: 'primary' }), replica);
    expect(await list()).toEqual(PRIMARY);
  });

  it('fails if the position cannot be read from the primary', async () => {
    const primary = server({ list: 'primary' });
    primary.read.mockRejectedValue(new Error('lost'));
    const { list } = historyOf(primary, server({ head: [at(5)], list: 'replica' }));
    await expect(list()).rejects.toThrow('lost');
  });
});

describe('concurrent lists', () => {
  it('share a look-up of the position, which begins after all of them', async () => {
    const primary = server({ head: [at(5)] });
    const { list } = historyOf(primary, server({ head: [at(5)], list: 'replica' }));
    const first = list();
    await vi.waitFor(() => expect(primary.read).toHaveBeenCalledOnce());
    // The second look-up cannot begin before these two requests.
    expect(await Promise.all([first, list(), list()])).toEqual([REPLICA, REPLICA, REPLICA]);
    expect(primary.read.mock.calls.map(([, statements]) => statements.length)).toEqual([1, 1]);
  });
});

describe('rows of audit chains', () => {
  it('come from a replica that has replayed the log, and otherwise from the primary', async () => {
    const primary = server({ list: 'primary' });
    for (const [contains, rows] of [
      [true, REPLICA],
      [false, PRIMARY],
    ] as const) {
      const { history } = historyOf(primary, server({ contains, list: 'replica' }));
      const read = (await history.evidence())(SCOPE, at(5));
      expect(await read.query(LIST)).toEqual(rows);
    }
  });
});
