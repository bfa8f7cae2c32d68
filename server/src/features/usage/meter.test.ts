import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../base/telemetry/log.js';
import { type Database, DatabaseUnavailableError } from '../../db/db.js';
import type { Sql } from '../../db/sql.js';
import type { Call, Meter } from '../../http/deps.js';
import type { Plan } from '../../model/plans.js';
import { createMeter } from './meter.js';

/** A tenant of each machine, and a second one of the first. */
const [FIRST, SECOND, NEIGHBOR] = ['tenant-1', 'tenant-2', 'tenant-1b'];
const machineOf = (tenantId: unknown) => Number(String(tenantId).at(7));
const GONE = new DatabaseUnavailableError('This machine does not respond');

let meter: Meter;
afterEach(() => meter.close());

/** A meter whose statements `respond` answers: by default each succeeds. */
function meterOn(isSpread: boolean, respond: (statement: Sql) => Promise<object[]> | object[]) {
  const sent: Sql[] = [];
  const machine = () =>
    ({
      kind: 'postgres',
      isSpread,
      async query(statement: Sql) {
        sent.push(statement);
        return respond(statement);
      },
    }) as unknown as Database;
  const machines = Array.from({ length: 10 }, machine);
  const near = (tenantId: string) => machines[machineOf(tenantId)] as Database;
  const db = isSpread ? { ...machine(), near } : machine();
  const log = createLog('silent');
  meter = createMeter({ db, log });
  return sent;
}

/** Rows that arrive when `resolve` is called. */
function hold() {
  let resolve!: (rows: object[]) => void;
  const promise = new Promise<object[]>((release) => {
    resolve = release;
  });
  return { promise, resolve };
}

const principal = (id: string, plan: Plan) =>
  ({ keyId: `key of ${id}`, environment: 'live', tenant: { id, plan } }) as Call['principal'];
const admit = (id: string) => meter.admit(principal(id, 'free'), 0);
const settle = (id: string) =>
  meter.settle({
    principal: principal(id, 'enterprise'),
    method: 'GET',
    endpoint: '/v1/devices',
    status: 200,
    at: 0,
    durationMs: 1,
    requestId: 'id',
    address: '192.0.2.7',
    error: null,
  });
const isCount = ({ text }: Sql) => text.includes('usage_months');

describe('a quota whose month cannot be read', () => {
  it.each([
    ['on one machine', false, 'for update of u'],
    ['on several', true, 'insert into usage_months'],
  ])('rejects the call as unavailable, not as used up, %s', async (_, spread, text) => {
    meterOn(spread, (statement) => {
      if (statement.text.includes(text)) throw GONE;
      return [];
    });
    await expect(admit(FIRST)).rejects.toThrow(DatabaseUnavailableError);
  });

  it('rejects the call as unavailable if the row of the month is missing again', async () => {
    meterOn(false, () => []);
    await expect(admit(FIRST)).rejects.toThrow(DatabaseUnavailableError);
  });
});

describe('counts on a spread database', () => {
  it('are one plain statement for each tenant', async () => {
    const sent = meterOn(true, () => [{ done: 1 }]);
    expect(await Promise.all([admit(FIRST), admit(FIRST), admit(SECOND), admit(NEIGHBOR)])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await Promise.all([settle(FIRST), settle(FIRST), settle(SECOND)]);
    const counts = sent.filter(isCount);
    expect(counts.map(({ values: [tenant, , calls] }) => `${tenant}: ${calls}`).sort()).toEqual([
      `${FIRST}: 2`,
      `${FIRST}: 2`,
      `${NEIGHBOR}: 1`,
      `${SECOND}: 1`,
      `${SECOND}: 1`,
    ]);
    for (const { text } of counts) expect(text).not.toMatch(/\bwith\b|set_config/);
  });

  it('are written on other machines while one hangs, and there as soon as it responds', async () => {
    const hanging = hold();
    const sent = meterOn(true, ({ values }) =>
      machineOf(values[0]) === 1 ? hanging.promise : [{ done: 1 }],
    );
    const late = Promise.all([settle(FIRST), settle(NEIGHBOR), admit(FIRST)]);
    await settle(SECOND);
    expect(await admit(SECOND)).toBe(true);
    await meter.flush(SECOND);
    expect(sent.filter(({ values }) => machineOf(values[0]) === 1)).toHaveLength(1);
    hanging.resolve([{ done: 1 }]);
    await late;
    const there = sent.filter((statement) => isCount(statement) && machineOf(statement.values[0]) === 1);
    expect(there).toHaveLength(3);
  });

  it('use at most one connection to each machine, however many calls wait', async () => {
    const hanging = hold();
    const sent = meterOn(true, () => hanging.promise);
    const calls = Array.from({ length: 12 }, (_, n) => settle(`tenant-${n % 3}${n}`));
    const admissions = Array.from({ length: 12 }, (_, n) => admit(`tenant-${n % 3}${n}`));
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    await new Promise(setImmediate);
    expect(sent).toHaveLength(3);
    hanging.resolve([{ done: 1 }]);
    await Promise.all([...calls, ...admissions]);
  });

  it('are kept when they fail, one per tenant and month, and are written by the next flush', async () => {
    let isGone = true;
    const sent = meterOn(true, () => {
      if (isGone) throw GONE;
      return [{ done: 1 }];
    });
    for (let round = 0; round < 3; round += 1) await Promise.all([settle(FIRST), settle(NEIGHBOR)]);
    // Two flushes in each round, and each ends at its first failure.
    expect(sent.filter(isCount)).toHaveLength(6);
    isGone = false;
    sent.length = 0;
    await meter.flush();
    const counts = sent.filter(isCount).map(({ values: [tenant, , calls] }) => `${tenant}: ${calls}`);
    expect(counts.sort()).toEqual([`${FIRST}: 3`, `${NEIGHBOR}: 3`]);
  });

  it('of the calls that fill the rest of a quota are exact', async () => {
    meterOn(true, ({ text }) => (text.startsWith('insert') ? [] : [{ calls: 1 }]));
    expect(await Promise.all([admit(FIRST), admit(FIRST)])).toEqual([true, false]);
  });
});
