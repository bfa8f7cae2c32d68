import { type HoursVerdict, verifyHours } from '@svc/sdk/hours';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { type InterruptedDatabase, interrupted } from '../support/interrupted-reads.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { contest, decideOwn, proposeOwn, punchAt, type Site } from '../support/punches.js';
import { createRegisteredVerifier } from '../support/registered-proofs.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { proveRotation, withNewSecret } from '../support/several-phones.js';
import type { OpenDesk } from '../support/staff.js';
import { employ, memberWith, timeScene } from '../support/time-scene.js';

let db: InterruptedDatabase;
let service: Service;
let account: Account;
let site: Site;
let desk: OpenDesk;
let ada: Person;
let hr: MemberAccount;
let month: string;
beforeAll(async () => {
  db = interrupted((await sharedDatabase()).db);
  service = await startService({ db });
});
afterAll(() => service.close());

const minute = 60_000;
const day = 24 * 60 * minute;
const BROKEN_OFF = 'broken off';
async function read(): Promise<Reply> {
  const path = `/v1/attendance/sheets?siteId=${site.id}&month=${month}&format=svc-hours`;
  try {
    return await service.call('GET', path, { as: account.key });
  } catch (error) {
    if (!/destroyed before completion/.test(String(error))) throw error;
    return { status: 200, headers: {}, body: undefined, text: BROKEN_OFF };
  }
}
const check = (text: string): Promise<HoursVerdict> =>
  verifyHours([text], { allowDevelopmentKeys: true, createVerifier: createRegisteredVerifier });

beforeEach(async () => {
  const now = new Date(service.clock.now());
  service.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 3, 8) - now.getTime());
  ({ account, site, desk, ada } = await timeScene(service));
  hr = await memberWith(service, account, { hours: true });
  month = new Date(service.clock.now()).toISOString().slice(0, 7);
});

async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
}

const punch = async (person: Person, type: 'check_in' | 'check_out' = 'check_in') =>
  (await done(punchAt(service, desk, person, { type }))).attendance;

async function work(person: Person) {
  service.clock.advance(minute);
  const first = await punch(person);
  service.clock.advance(2 * minute);
  const last = await punch(person, 'check_out');
  service.clock.advance(minute);
  return [first, last];
}

/** The account proposes that an event was a minute earlier. */
const propose = async (
  person: Person,
  { id: old, type, reason, occurredAt }: { id: string; type: string; reason: string; occurredAt: string },
) => {
  const at = new Date(Date.parse(occurredAt) - minute).toISOString();
  const body = {
    ...{ userId: person.userId, cause: 'wrong_time' },
    changes: [{ old, new: { type, reason, occurredAt: at } }],
  };
  return (await done(service.call('POST', '/v1/attendance/corrections', { as: hr.token, body }))).correction;
};

const assert = (person: Person, occurredAt?: string) =>
  done(
    service.call('POST', '/v1/attendance', {
      as: account.key,
      body: { userId: person.userId, type: 'check_in', ...(occurredAt && { occurredAt }) },
    }),
  );

/** The head of the chain is read first, so that nothing that a file says is older. */
const SINCE = 'from audit_heads';

/** Fetches files, in each of which something happens before another of the statements that it is made by. */
async function fetchWhile(
  prepare: () => Promise<() => Promise<unknown>>,
  look: (reply: Reply, before: string) => Promise<void>,
): Promise<void> {
  await (await prepare())();
  await prepare();
  const recorded = db.record(SINCE);
  await read();
  const statements = recorded().filter((text) => /^(select|with recursive) /.test(text));
  let count = 0;
  for (const before of statements) {
    const act = await prepare();
    let failure: unknown;
    const catching = () => act().catch((error) => (failure = error));
    const hasHappened = db.interrupt({ since: SINCE, before, act: catching });
    const reply = await read();
    expect(failure, before).toBeUndefined();
    // Jobs of the service read too, when their time comes.
    if (hasHappened()) count += 1;
    await look(reply, before);
  }
  expect(count).toBeGreaterThan(10);
}

async function requireSound({ status, text }: Reply, before: string): Promise<void> {
  expect(status, text).toBe(200);
  const verdict = await check(text);
  expect([verdict.findings, verdict.ok], `something happened before: ${before}`).toEqual([[], true]);
}

describe('a file holds, whatever happens while it is written [time/hours-file]', () => {
  it('people clock in, contest, propose, agree, take back, come and get other keys', {
    tags: ['ci'],
  }, async () => {
    const grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
    const prepare = async () => {
      const [came, left] = await work(ada);
      const [hers, later] = await work(grace);
      const agreed = await propose(ada, left);
      const declined = await propose(ada, came);
      const changed = await propose(grace, later);
      const mary = await employ(service, { account, site }, { fullName: 'Mary Shelley' });
      await work(mary);
      return async () => {
        await done(decideOwn(service, ada, account, agreed));
        await done(decideOwn(service, ada, account, declined, 'contest'));
        await done(contest(service, ada, account, came.id));
        await done(
          service.call('POST', `/v1/attendance/corrections/${changed.id}/withdraw`, { as: hr.token }),
        );
        await propose(grace, hers);
        const { id, type, reason, occurredAt } = await punch(grace);
        const own = {
          ...{ userId: grace.userId, cause: 'double' as const, note: null },
          changes: [{ old: { id, type, reason, occurredAt }, new: null }],
        } as const;
        await done(proposeOwn(service, grace, account, own));
        const renewed = withNewSecret(mary);
        const body = await proveRotation(service, mary, renewed, { tenantId: account.tenantId });
        await done(service.call('POST', '/v1/identity/rotate', { as: account.key, body }));
        await punch(renewed);
        await assert(ada);
        await punch(await employ(service, { account, site }, { fullName: 'Alan Turing' }));
      };
    };
    await fetchWhile(prepare, requireSound);
  });

  it('the account asserts events of a month that is over, and closes it again', async () => {
    await work(ada);
    const { occurredAt } = await punch(ada);
    service.clock.advance(40 * day);
    hr = await logInAgain(service, hr);
    let later = Date.parse(occurredAt);
    const late = () => {
      later += minute;
      return assert(ada, new Date(later).toISOString());
    };
    const close = async () => {
      const of = `/v1/attendance/months/${month}`;
      const { flags } = await done(service.call('GET', `${of}?siteId=${site.id}`, { as: account.key }));
      const body = { siteId: site.id, openFlags: flags.length };
      await done(service.call('POST', `${of}/close`, { session: hr.token, body }));
    };
    await close();
    await fetchWhile(
      async () => {
        await late();
        return async () => {
          await close();
          await late();
        };
      },
      async (reply, before) => {
        await requireSound(reply, before);
        expect(await check(reply.text)).toMatchObject({ closedAt: expect.any(String) });
      },
    );
  });

  it('somebody is erased: it holds, or breaks off if their phone was not yet in it', async () => {
    const erase = await service.createKey(account, 'live', ['users:erase']);
    let broken = 0;
    await fetchWhile(
      async () => {
        const grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
        await work(grace);
        return () =>
          done(
            service.call('POST', `/v1/users/${grace.userId}/erase`, {
              as: erase,
              body: { reason: 'request', hours: 'later' },
            }),
          );
      },
      async (reply, before) => {
        if (reply.text !== BROKEN_OFF) return requireSound(reply, before);
        broken += 1;
        return requireSound(await read(), before);
      },
    );
    expect(broken).toBeGreaterThan(0);
  });
});

it('a file has what an erased person decided apart, also if they never clocked in [time/hours-file]', async () => {
  const at = service.clock.now() - 60 * minute;
  const times = ['check_in', 'check_out'] as const;
  const changes = times.map((type, place) => ({
    old: null,
    new: { type, reason: 'work', occurredAt: new Date(at + place * 10 * minute).toISOString() } as const,
  }));
  const own = { userId: ada.userId, cause: 'forgotten', note: null, changes } as const;
  await done(proposeOwn(service, ada, account, own));
  await done(
    service.call('POST', `/v1/users/${ada.userId}/erase`, {
      as: await service.createKey(account, 'live', ['users:erase']),
      body: { reason: 'request' },
    }),
  );
  const verdict = await check((await read()).text);
  expect(verdict).toMatchObject({ ok: true, findings: [], erased: 1 });
});
