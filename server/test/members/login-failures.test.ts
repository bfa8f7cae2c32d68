import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailableError, type RawDatabase } from '../../src/db/db.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { sumLoginFailures } from '../../src/features/accounts/logins/login-failures.js';
import { sharedDatabase } from '../support/database.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const never = new AbortController().signal;

let service: Service;
let other: Service;
/** Delays or fails the statements of a node. */
let beforeStatement: (text: string) => Promise<unknown> | undefined = () => undefined;
let isUnwritable = false;
beforeAll(async () => {
  const { db: raw } = await sharedDatabase();
  const db: RawDatabase = {
    ...raw,
    async query<R extends object>(statement: Sql) {
      await beforeStatement(statement.text);
      return raw.query<R>(statement);
    },
    begin: () => (isUnwritable ? Promise.reject(new DatabaseUnavailableError('lost')) : raw.begin()),
  };
  service = await startService({ db });
  other = await startService({ clock: service.clock });
});
afterAll(() => Promise.all([service.close(), other.close()]));

const guess = ({ email }: Pick<Account, 'email'>, node = service) =>
  node.call('POST', '/api/console/login', {
    body: { email, password: 'a wrong password 7' },
    address: freshAddress(),
  });
async function guessTimes(times: number, account: Account) {
  const replies = await Promise.all(
    Array.from({ length: times }, (_, at) => guess(account, at % 2 === 0 ? service : other)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
}

/** Failures are recorded after the response. */
const counted = (account: Account, failures: number) =>
  vi.waitFor(async () => {
    const rows = await other.db.query<{ failures: number }>(
      sql`select sum(failures)::int as failures from login_failures where tenant_id = ${account.tenantId}`,
    );
    expect(rows[0]?.failures).toBe(failures);
  });
async function events({ token }: Account) {
  const { body } = await other.call('GET', '/api/console/audit?action=tenant.login_failed', { as: token });
  return body.audit.map(({ metadata }: { metadata: object }) => metadata).reverse();
}
const recorded = (account: Account, expected: object[]) =>
  vi.waitFor(async () => expect(await events(account)).toEqual(expected));
const sumOnBoth = () =>
  Promise.all([service, other].map(({ app }) => sumLoginFailures({ ...app.deps, signal: never })));
const one = { count: 1 };
const hourOf = (at: number) => new Date(at - (at % HOUR_MS)).toISOString();

describe('a failed log-in to the dashboard [tenant.login_failed] [audit/failed-log-ins-are-audited]', () => {
  it('is in the audit log of its account', async () => {
    const account = await service.signUp();
    await guess(account);
    await recorded(account, [one]);
    const { body } = await service.call('GET', '/v1/audit?action=tenant.login_failed', { as: account.key });
    expect(body.audit[0]).toMatchObject({
      actorType: 'system',
      entityType: 'tenant',
      entityId: account.tenantId,
      status: 'failure',
    });
  });

  it('has an event of its own ten times an hour, and one event counts the others when the hour is over', async () => {
    const account = await service.signUp();
    const begin = service.clock.now();
    await guessTimes(25, account);
    await counted(account, 25);
    await recorded(account, Array(10).fill(one));
    await sumOnBoth();
    expect(await events(account), 'the hour is not over').toHaveLength(10);
    service.clock.advance(HOUR_MS);
    await sumOnBoth();
    await sumOnBoth();
    const rest = { count: 15, hour: hourOf(begin) };
    expect(await events(account)).toEqual([...Array(10).fill(one), rest]);
    await guess(account);
    await recorded(account, [...Array(10).fill(one), rest, one]);
  });

  it('is counted for its hour if the next has begun before the others are summed up', async () => {
    const account = await service.signUp();
    const begin = service.clock.now();
    await guessTimes(12, account);
    await counted(account, 12);
    // An event that still waits for its turn would wait an hour, which is too long.
    await recorded(account, Array(10).fill(one));
    service.clock.advance(HOUR_MS);
    await guessTimes(11, account);
    await counted(account, 23);
    await recorded(account, Array(20).fill(one));
    await sumOnBoth();
    service.clock.advance(HOUR_MS);
    await sumOnBoth();
    expect((await events(account)).slice(20)).toEqual([
      { count: 2, hour: hourOf(begin) },
      { count: 1, hour: hourOf(begin + HOUR_MS) },
    ]);
  });

  it('is not lost if its event can’t be written', async () => {
    const account = await service.signUp();
    const begin = service.clock.now();
    isUnwritable = true;
    for (let times = 0; times < 3; times += 1) await guess(account);
    await counted(account, 3);
    await sumLoginFailures({ ...service.app.deps, signal: never });
    isUnwritable = false;
    expect(await events(account)).toEqual([]);
    service.clock.advance(HOUR_MS);
    await sumOnBoth();
    expect(await events(account)).toEqual([{ count: 3, hour: hourOf(begin) }]);
  });

  it('gets its response before anything is recorded, as one with an unknown e-mail does', async () => {
    const account = await service.signUp();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    beforeStatement = (text) => (text.includes('login_failures') ? held : undefined);
    const known = await guess(account);
    const unknown = await guess({ email: 'nobody@example.com' });
    expect(known.status).toBe(401);
    expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    release();
    beforeStatement = () => undefined;
    await recorded(account, [one]);
  });

  it('is not recorded for an unknown e-mail, and a correct password is none', async () => {
    const count = async () =>
      (await other.db.query<{ n: number }>(sql`select sum(failures)::int as n from login_failures`))[0]?.n;
    const account = await service.signUp();
    const before = await count();
    await guess({ email: 'nobody@example.com' });
    const { email, password } = account;
    const body = { email, password };
    expect((await service.call('POST', '/api/console/login', { body, address: freshAddress() })).status).toBe(
      200,
    );
    // What these would have recorded is recorded before this.
    await guess(account);
    await recorded(account, [one]);
    expect(await count()).toBe((before ?? 0) + 1);
  });
});
