import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/base/telemetry/log.js';
import { sql } from '../../src/db/sql.js';
import { createMeter, HOURS_EXPIRY } from '../../src/features/usage/usage.js';
import type { Call } from '../../src/http/deps.js';
import type { Environment } from '../../src/model/environment.js';
import { MAX_LOGGED, PLAN_LIMITS, type Plan } from '../../src/model/plans.js';
import { type Account, type Service, START, startService } from '../support/service.js';

/** Two ways to count: on one machine a statement for all accounts, on several a statement for each. Their results must be equal. */
const WAYS = ['of all accounts', 'of each account'] as const;
type Way = (typeof WAYS)[number];

const HOUR = 60 * 60_000;
const NEXT_MONTH = START + 31 * 24 * HOUR;
const QUOTA = PLAN_LIMITS.free.monthlyRequests ?? 0;
const KEYS = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'] as const;

/** Simultaneous calls of one account: admitted, ended with these statuses, or both. */
interface Calls {
  /** The first account or the second one. */
  readonly of?: 0 | 1;
  readonly plan?: Plan;
  readonly at?: number;
  /** How many ask for room in the quota. */
  readonly admit?: number;
  readonly statuses?: readonly number[];
  readonly durationMs?: number;
  readonly endpoint?: string;
  readonly environment?: Environment;
  readonly key?: 0 | 1;
}

interface Case {
  readonly name: string;
  /** The counts of this month before, of both accounts. */
  readonly used?: readonly (number | undefined)[];
  /** Those of a step are simultaneous. */
  readonly steps: readonly (readonly Calls[])[];
  /** How many calls are admitted. */
  readonly admitted?: number;
  /** The counts of this month after it, of the accounts that have one. */
  readonly after: readonly number[];
}

const room = (used: number, calls: number) => Math.max(0, Math.min(calls, QUOTA - used));

const QUOTAS: Case[] = [undefined, 0, QUOTA - 4, QUOTA - 1, QUOTA, QUOTA + 7].flatMap((used) =>
  [1, 2, 5].map((calls) => ({
    name: `admits as many of ${calls} as there is room after ${used ?? 'no call'}`,
    used: [used],
    steps: [[{ admit: calls }]],
    admitted: room(used ?? 0, calls),
    after: [(used ?? 0) + room(used ?? 0, calls)],
  })),
);

const PLANS: Case[] = (['starter', 'growth', 'enterprise'] as const).flatMap((plan) => {
  const quota = PLAN_LIMITS[plan].monthlyRequests;
  return [
    {
      name: `admits the first calls of ${plan}`,
      steps: [[{ plan, admit: 3 }]],
      admitted: 3,
      after: quota === null ? [] : [3],
    },
    {
      name: `admits the last call of ${plan}`,
      used: [(quota ?? 10) - 1],
      steps: [[{ plan, admit: 3 }]],
      admitted: quota === null ? 3 : 1,
      after: [quota === null ? 9 : quota],
    },
  ];
});

const isCounted = (status: number) => status !== 429 && status !== 503;
const STATUSES: Case[] = [[200], [404], [500], [429], [503], [200, 503, 201, 429, 400]].flatMap((statuses) =>
  (['free', 'enterprise'] as const).map((plan) => {
    const counted = statuses.filter(isCounted).length;
    return {
      name: `counts calls of ${plan} that end with ${statuses.join(', ')}`,
      steps: [[{ plan, admit: statuses.length }], [{ plan, statuses }]],
      admitted: statuses.length,
      after: plan === 'enterprise' && counted === 0 ? [] : [counted],
    };
  }),
);

const SEVERAL: Case[] = [
  {
    name: 'admits calls of two accounts',
    steps: [[{ admit: 3 }, { of: 1, admit: 2 }]],
    admitted: 5,
    after: [3, 2],
  },
  {
    name: 'admits only calls of the account that has room',
    used: [QUOTA, 5],
    steps: [[{ admit: 3 }, { of: 1, admit: 2 }]],
    admitted: 2,
    after: [QUOTA, 7],
  },
  {
    name: 'admits none of two accounts without room',
    used: [QUOTA, QUOTA],
    steps: [[{ admit: 1 }, { of: 1, admit: 1 }]],
    admitted: 0,
    after: [QUOTA, QUOTA],
  },
  {
    name: 'counts each account by its own plan',
    steps: [
      [{ admit: 2 }],
      [{ statuses: [200, 200] }, { of: 1, plan: 'enterprise', statuses: [200, 200, 200] }],
    ],
    admitted: 2,
    after: [2, 3],
  },
  {
    name: 'begins a month with an empty count',
    used: [QUOTA],
    steps: [[{ admit: 1 }, { admit: 2, at: NEXT_MONTH }]],
    admitted: 2,
    after: [QUOTA],
  },
  {
    name: 'counts a call in the month in which it began',
    steps: [
      [
        { plan: 'enterprise', statuses: [200, 200] },
        { plan: 'enterprise', statuses: [200], at: NEXT_MONTH },
      ],
    ],
    after: [2],
  },
  {
    name: 'has room again for the calls that it gave back',
    used: [QUOTA - 2],
    steps: [[{ admit: 3 }], [{ statuses: [503] }], [{ admit: 2 }]],
    admitted: 3,
    after: [QUOTA],
  },
];

const plan = 'enterprise';
const SERIES: Case[] = [
  {
    name: 'logs durations by their bucket',
    steps: [[1, 3, 40, 900, 31_000].map((durationMs) => ({ plan, statuses: [200], durationMs }))],
    after: [5],
  },
  {
    name: 'adds to an hour that has calls',
    steps: [[{ plan, statuses: [200, 200] }], [{ plan, statuses: [200] }]],
    after: [3],
  },
  {
    name: 'separates hours',
    steps: [[0, 1, 1].map((hours) => ({ plan, statuses: [200], at: START + hours * HOUR }))],
    after: [3],
  },
  {
    name: 'separates endpoints',
    steps: [['/v1/users', '/v1/devices'].map((endpoint) => ({ plan, statuses: [200], endpoint }))],
    after: [2],
  },
  {
    name: 'separates statuses, and logs the error',
    steps: [[{ plan, statuses: [200, 404, 404, 500] }]],
    after: [4],
  },
  {
    name: 'separates keys',
    steps: [
      [
        { plan, statuses: [200] },
        { plan, statuses: [200], key: 1 },
      ],
    ],
    after: [2],
  },
  {
    name: 'separates environments',
    steps: [
      [
        { plan, statuses: [200] },
        { plan, statuses: [200], environment: 'test' },
      ],
    ],
    after: [2],
  },
  {
    name: 'separates accounts',
    steps: [
      [
        { plan, statuses: [200] },
        { of: 1, plan, statuses: [200, 404] },
      ],
    ],
    after: [1, 2],
  },
  {
    name: 'logs only the newest calls',
    steps: [[{ plan, statuses: Array(MAX_LOGGED + 100).fill(200) }]],
    after: [MAX_LOGGED + 100],
  },
  {
    name: 'deletes the oldest calls of each account',
    steps: [
      [
        { plan, statuses: Array(MAX_LOGGED).fill(200) },
        { of: 1, plan, statuses: [200] },
      ],
      [{ plan, at: START + HOUR, statuses: Array(250).fill(200) }],
    ],
    after: [MAX_LOGGED + 250, 1],
  },
];

const CASES = [...QUOTAS, ...PLANS, ...STATUSES, ...SEVERAL, ...SERIES];

let service: Service;
let accounts: Record<Way, Account[]>;
beforeAll(async () => {
  service = await startService();
  const two = async () => [await service.signUp(), await service.signUp()];
  accounts = { [WAYS[0]]: await two(), [WAYS[1]]: await two() } as typeof accounts;
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const { tenantId } of Object.values(accounts).flat())
    for (const table of [sql`usage_months`, sql`recent_calls`, HOURS_EXPIRY.table])
      await service.db.query(sql`delete from ${table} where tenant_id = ${tenantId}`);
});

async function run(way: Way, { used = [], steps }: Case) {
  const two = accounts[way];
  const month = new Date(START).toISOString().slice(0, 7);
  for (const [at, count] of used.entries())
    if (count !== undefined)
      await service.db.query(sql`insert into usage_months (tenant_id, month, used)
        values (${two[at]?.tenantId}, ${month}, ${count})`);
  const meter = createMeter({ db: { ...service.db, isSpread: way === WAYS[1] }, log: createLog('silent') });
  let sent = 0;
  const admissions: boolean[][] = [];
  for (const step of steps) {
    const admitted: Promise<boolean>[] = [];
    const settled: Promise<void>[] = [];
    for (const calls of step) {
      const {
        of = 0,
        at = START,
        admit = 0,
        statuses = [],
        durationMs = 12,
        key = 0,
        environment = 'live',
      } = calls;
      const tenant = { id: two[of]?.tenantId, plan: calls.plan ?? 'free' };
      const principal = { keyId: KEYS[key], environment, tenant } as unknown as Call['principal'];
      for (let n = 0; n < admit; n++) admitted.push(meter.admit(principal, at));
      for (const status of statuses) {
        sent += 1;
        const requestId = `00000000-0000-7000-8000-${String(sent).padStart(12, '0')}`;
        const error = status >= 400 ? ('user_not_found' as const) : null;
        const { endpoint = '/v1/users' } = calls;
        settled.push(
          meter.settle({
            ...{ principal, method: 'GET', endpoint, status, at, durationMs, requestId, error },
            address: '192.0.2.7',
          }),
        );
      }
    }
    admissions.push(await Promise.all(admitted));
    await Promise.all(settled);
    await meter.flush();
  }
  await meter.close();
  return { admissions, rows: await rowsOf(two) };
}

/** Every row of both accounts, without their ids. */
async function rowsOf(two: readonly Account[]) {
  const rows = (table: ReturnType<typeof sql>, { tenantId }: Account) =>
    service.db.query<Record<string, unknown>>(
      sql`select (to_jsonb(t) - 'tenant_id') as row from ${table} t where tenant_id = ${tenantId} order by t`,
    );
  return Promise.all(
    two.map(async (account) => ({
      months: (await rows(sql`usage_months`, account)).map(
        ({ row }) => row as { month: string; used: number },
      ),
      log: await rows(sql`recent_calls`, account),
      hours: await rows(sql`usage_hours`, account),
    })),
  );
}

describe('the two ways to count calls have the same results and rows', () => {
  it('for at least 40 cases with different names', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  it.each(CASES)('$name', async (each) => {
    const [all, one] = [await run(WAYS[0], each), await run(WAYS[1], each)];
    expect(one).toEqual(all);
    expect(all.admissions.flat().filter(Boolean)).toHaveLength(each.admitted ?? 0);
    const thisMonth = new Date(START).toISOString().slice(0, 7);
    const counts = all.rows.flatMap(({ months }) => months.filter(({ month }) => month === thisMonth));
    expect(counts.map(({ used }) => used)).toEqual(each.after);
    const ended = each.steps.flat().flatMap(({ statuses = [] }) => statuses.filter(isCounted)).length;
    const logged = all.rows.reduce((sum, { log }) => sum + log.length, 0);
    expect(logged).toBe(Math.min(ended, each.name.startsWith('deletes') ? MAX_LOGGED + 1 : MAX_LOGGED));
  });
});
