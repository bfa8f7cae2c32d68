import { verifyHours } from '@svc/sdk/hours';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import { contest, createSite, listOwn, punchAt, type Site } from '../support/punches.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let db: CountingDatabase;
let service: Service;
/** Another node of the same service. */
let other: Service;
let scene: TimeScene;
let account: Account;
let site: Site;
let hr: MemberAccount;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  service = await startService({ db });
  other = await startService({ clock: service.clock });
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  scene = await timeScene(service);
  ({ account, site } = scene);
  hr = await memberWith(service, account, { hours: true });
});

const month = () => new Date(service.clock.now()).toISOString().slice(0, 7);
const create = (more: object = {}, session = hr.token): Promise<Reply> =>
  service.call('POST', '/v1/attendance/inspections', {
    session,
    body: { siteId: site.id, from: month(), to: month(), ...more },
  });

interface Given {
  readonly id: string;
  readonly token: string;
  readonly code: string;
}

async function given(more: object = {}): Promise<Given> {
  const { status, body, text } = await create(more);
  if (status !== 201) throw new Error(`creating an inspection returned ${text}`);
  return { id: body.inspection.id, token: new URL(body.url).hash.slice(1), code: body.code };
}

const open = ({ token, code }: Pick<Given, 'token' | 'code'>, node = service): Promise<Reply> =>
  node.call('POST', '/v1/attendance/inspections/open', { body: { token, code }, address: freshAddress() });

/** A session of an inspection. */
async function inspect(of: Given, node = service): Promise<string> {
  const { status, body, text } = await open(of, node);
  if (status !== 201) throw new Error(`opening an inspection returned ${text}`);
  return body.session.token;
}

const withSession = (session: string) => ({ headers: { 'x-inspection-token': session } });
const sheets = (session: string, query = '', node = service): Promise<Reply> =>
  node.call('GET', `/v1/attendance/inspections/current/sheets?month=${month()}${query}`, {
    ...withSession(session),
    address: freshAddress(),
  });

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const listed = async (session = hr.token): Promise<{ id: string }[]> =>
  (await service.call('GET', `/v1/attendance/inspections?siteId=${site.id}`, { session })).body.inspections;
const entries = async (action: string) =>
  (await service.call('GET', `/v1/audit?action=${action}`, { as: account.key })).body.audit;
const outcome = ({ status, body }: Reply) => [status, body?.error];
const NOT_FOUND = [404, 'inspection_not_found'];

describe('an inspection [time/inspection] [POST /v1/attendance/inspections] [GET /v1/attendance/inspections] [DELETE /v1/attendance/inspections/:id]', () => {
  it('has a link and a code that are shown once, and of which hashes are stored', async () => {
    const { status, body, headers } = await create({ hours: 24 });
    expect(status).toBe(201);
    const now = service.clock.now();
    expect(body.inspection).toEqual({
      ...{ id: expect.any(String), siteId: site.id, from: month(), to: month() },
      ...{ expiresAt: new Date(now + 24 * HOUR).toISOString(), openedAt: null, looks: 0, createdBy: hr.id },
      ...{ createdAt: new Date(now).toISOString(), revokedAt: null },
    });
    expect(body.url).toMatch(/^http:\/\/localhost:3000\/inspection#[\w-]{55}$/);
    expect(body.code).toMatch(/^[0-9]{6}$/);
    expect(headers['cache-control']).toBe('no-store');
    const [row] = await service.db.query<{ text: string }>(
      sql`select to_jsonb(t)::text as text from attendance_inspections t where id = ${body.inspection.id}`,
    );
    expect(row?.text).not.toContain(body.url.split('#')[1]);
    expect(row?.text).not.toContain(body.code);
    expect(await listed()).toEqual([body.inspection]);
  });

  it('is made, listed and revoked with the right hours or by owners, and for their sites only [role_insufficient] [site_not_found]', async () => {
    const of = await given();
    const south = await createSite(service, account, { name: 'Süd', timeZone: 'Europe/Madrid' });
    const elsewhere = await memberWith(service, account, { hours: true, siteIds: [south.id] });
    const representative = await memberWith(service, account, { representative: true });
    const developer = await memberWith(service, account, {}, 'developer');
    const owner = await memberWith(service, account, {}, 'owner');
    const all = async (session: string) => {
      const replies = [
        await create({}, session),
        await service.call('GET', `/v1/attendance/inspections?siteId=${site.id}`, { session }),
        await service.call('DELETE', `/v1/attendance/inspections/${of.id}`, { session }),
      ];
      return replies.map(({ status }) => status);
    };
    expect(await all(representative.token)).toEqual([403, 403, 403]);
    expect(await all(developer.token)).toEqual([403, 403, 403]);
    expect(await all(elsewhere.token)).toEqual([404, 404, 404]);
    const without = (session: string) => service.call('GET', '/v1/attendance/inspections', { session });
    expect((await without(elsewhere.token)).body.inspections).toEqual([]);
    expect((await without(hr.token)).body.inspections).toMatchObject([{ id: of.id }]);
    expect(await all(owner.token)).toEqual([201, 200, 200]);
  });

  it('needs both scopes with a key, because its link reads [attendance:write] [attendance:read] [insufficient_scopes]', async () => {
    const body = { siteId: site.id, from: month(), to: month() };
    const send = (as: string) => service.call('POST', '/v1/attendance/inspections', { as, body });
    const writer = await service.createKey(account, 'live', ['attendance:write']);
    expect(outcome(await send(writer))).toEqual([403, 'insufficient_scopes']);
    const both = await send(
      await service.createKey(account, 'live', ['attendance:write', 'attendance:read']),
    );
    expect([both.status, both.body.inspection.createdBy]).toEqual([201, null]);
  });

  it('needs a log-in that was confirmed lately [step_up_required] [console/guarded-acts]', async () => {
    service.clock.advance(5 * MINUTE + 1);
    expect(outcome(await create())).toEqual([403, 'step_up_required']);
    expect(await listed()).toEqual([]);
  });

  it.each([
    [{ from: '2026-06', to: '2026-05' }, 400],
    [{ from: '2023-01', to: '2027-01' }, 400],
    [{ from: '2023-01', to: '2026-12' }, 201],
    [{ hours: 721 }, 400],
    [{ hours: 0 }, 400],
    [{ hours: 720 }, 201],
  ])('is of at most 48 months in order, for at most 720 hours: %j', async (more, status) => {
    expect((await create(more)).status).toBe(status);
  });

  it('lasts 72 hours unless said otherwise, and is listed newest first, page by page', async () => {
    const [first, second] = [await given(), await given()];
    const path = `/v1/attendance/inspections?siteId=${site.id}&limit=1`;
    const page = await service.call('GET', path, { session: hr.token });
    expect(page.body.inspections).toMatchObject([
      { id: second.id, expiresAt: new Date(service.clock.now() + 72 * HOUR).toISOString() },
    ]);
    const next = await service.call('GET', `${path}&cursor=${page.body.nextCursor}`, { session: hr.token });
    expect(next.body.inspections).toMatchObject([{ id: first.id }]);
  });

  it('is in the audit log without anything personal [attendance.inspection_created] [attendance.inspection_opened] [attendance.inspection_read] [attendance.inspection_revoked]', async () => {
    const of = await given();
    await sheets(await inspect(of));
    const revoke = () => service.call('DELETE', `/v1/attendance/inspections/${of.id}`, { session: hr.token });
    const revoked = await revoke();
    expect(revoked.body.inspection.revokedAt).toBe(new Date(service.clock.now()).toISOString());
    expect((await revoke()).body).toEqual(revoked.body);
    const all = await Promise.all(
      ['created', 'opened', 'read', 'revoked'].map((of) => entries(`attendance.inspection_${of}`)),
    );
    const inspector = { actorType: 'inspector', actorId: of.id };
    const member = { actorType: 'member', actorId: hr.id };
    expect(all).toMatchObject([
      [{ ...member, metadata: { siteId: site.id, from: month(), to: month(), hours: 72 } }],
      [{ ...inspector, metadata: { siteId: site.id } }],
      [{ ...inspector, metadata: { siteId: site.id, period: month(), format: 'json' } }],
      [{ ...member, metadata: { siteId: site.id } }],
    ]);
    for (const entry of all.flat())
      expect(entry).toMatchObject({ status: 'success', entityType: 'inspection', entityId: of.id });
    expect(JSON.stringify(all)).not.toMatch(/Lovelace|Hopper/);
  });
});

describe('a link with its code [time/inspection] [POST /v1/attendance/inspections/open]', () => {
  it('opens the inspection, and a session of at most eight hours', async () => {
    const of = await given();
    const { status, body } = await open(of, other);
    const now = service.clock.now();
    expect([status, body]).toEqual([
      201,
      {
        inspection: {
          ...{ company: 'Example', from: month(), to: month() },
          site: { name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin' },
          expiresAt: new Date(now + 72 * HOUR).toISOString(),
        },
        session: {
          token: expect.stringMatching(/^eyJ/),
          expiresAt: new Date(now + 8 * HOUR).toISOString(),
        },
      },
    ]);
    expect(await listed()).toMatchObject([{ openedAt: new Date(now).toISOString() }]);
    const short = await open(await given({ hours: 1 }));
    expect(short.body.session.expiresAt).toBe(new Date(now + HOUR).toISOString());
  });

  it('is not found for whatever is wrong, with the same statements [inspection_not_found]', async () => {
    const of = await given();
    const ended = await given({ hours: 1 });
    const revoked = await given();
    await service.call('DELETE', `/v1/attendance/inspections/${revoked.id}`, { session: hr.token });
    service.clock.advance(2 * HOUR);
    const bytes = Buffer.from(of.token, 'base64url');
    bytes[40] = (bytes[40] as number) ^ 1;
    const guesses = [
      { ...of, code: wrong(of.code) },
      { ...of, token: bytes.toString('base64url') },
      { ...of, token: `${of.token}=` },
      { ...of, token: 'x' },
      ended,
      revoked,
    ];
    const seen: unknown[] = [];
    for (const guess of guesses) {
      db.statements.length = 0;
      const reply = await open(guess);
      expect(outcome(reply)).toEqual(NOT_FOUND);
      const { requestId: _, ...body } = reply.body;
      seen.push({
        body,
        headers: Object.keys(reply.headers).sort(),
        statements: db.statements.filter((text) => !isByTimer(text)),
      });
    }
    expect(seen).toEqual(seen.map(() => seen[0]));
    expect((await open(of)).status).toBe(201);
  });

  it('is locked for 15 minutes by the fifth wrong code, on whatever node, and each is counted', async () => {
    const of = await given();
    const guess = { ...of, code: wrong(of.code) };
    const replies = await Promise.all(
      [service, other, service, other, service].map((node) => open(guess, node)),
    );
    expect(replies.map(outcome)).toEqual(replies.map(() => NOT_FOUND));
    for (const node of [service, other]) expect(outcome(await open(of, node))).toEqual(NOT_FOUND);
    expect(await entries('attendance.inspection_opened')).toMatchObject([
      { status: 'failure', entityId: of.id, metadata: { siteId: site.id, wrongCodes: 5 } },
    ]);
    service.clock.advance(15 * MINUTE);
    expect((await open(of, other)).status).toBe(201);
  });

  it('is ended by the twentieth, with its sessions', async () => {
    const of = await given();
    const guess = { ...of, code: wrong(of.code) };
    const session = await inspect(of);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([service, other, service, other, service, other].map((node) => open(guess, node)));
      service.clock.advance(15 * MINUTE);
    }
    expect(outcome(await open(of))).toEqual(NOT_FOUND);
    expect(outcome(await sheets(session, '', other))).toEqual(NOT_FOUND);
    const [row] = await service.db.query<{ wrong: number }>(
      sql`select wrong_codes as wrong from attendance_inspections where id = ${of.id}`,
    );
    expect(row?.wrong).toBe(20);
  });

  it('can’t be tried often from one address [rate_limit_exceeded]', async () => {
    const address = freshAddress();
    const body = { token: 'x', code: '123456' };
    const statuses: number[] = [];
    for (let at = 0; at < 31; at += 1)
      statuses.push(
        (await service.call('POST', '/v1/attendance/inspections/open', { body, address })).status,
      );
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('an inspector [time/inspection] [GET /v1/attendance/inspections/current] [GET /v1/attendance/inspections/current/sheets]', () => {
  it('reads the sheets of the months of the inspection as a member does', async () => {
    const { id } = (await punchAt(service, scene.desk, scene.ada)).body.attendance;
    await contest(service, scene.ada, account, id);
    const session = await inspect(await given());
    const read = await sheets(session);
    expect(read.body.sheets).toMatchObject([{ counts: { contested: 1 }, contestedIds: [id] }]);
    hr = await logInAgain(service, hr);
    const own = await service.call('GET', `/v1/attendance/sheets?siteId=${site.id}&month=${month()}`, {
      session: hr.token,
    });
    expect(read.body).toEqual(own.body);
    expect(read.headers['cache-control']).toBe('no-store');
    const current = await service.call('GET', '/v1/attendance/inspections/current', withSession(session));
    expect(current.body.inspection).toMatchObject({ company: 'Example', site: { name: 'Werk Nord' } });
    const before = await service.call(
      'GET',
      '/v1/attendance/inspections/current/sheets?month=2020-01',
      withSession(session),
    );
    expect(before.status).toBe(400);
  });

  it('fetches files of a month', async () => {
    const session = await inspect(await given());
    const csv = await sheets(session, '&format=csv&separator=,');
    expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="hours-${month()}.csv"`);
    expect(csv.text).toMatch(/^site,date,employeeCode,name,/);
    expect((await sheets(session, '&format=xlsx')).status).toBe(200);
    expect((await sheets(session, '&format=payroll')).status).toBe(400);
    const hours = await sheets(session, '&format=svc-hours');
    expect(hours.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(await verifyHours([hours.text], { allowDevelopmentKeys: true })).toMatchObject({
      findings: [],
      faults: 0,
    });
  });

  it('is seen by each person of the site, and each look is counted [time/readings]', async () => {
    const of = await given();
    const session = await inspect(of);
    await sheets(session);
    await sheets(session, '&format=csv', other);
    expect(await listed()).toMatchObject([{ looks: 2 }]);
    const { readings } = (await listOwn(service, scene.ada, account, month())).body;
    expect(readings).toMatchObject([
      { by: 'inspector', name: null, isOfSite: true },
      { by: 'inspector', name: null, isOfSite: true },
    ]);
    expect(
      (await entries('attendance.inspection_read')).map((entry: Reply['body']) => entry.metadata.format),
    ).toEqual(['csv', 'json']);
    const head = await service.call(
      'HEAD',
      `/v1/attendance/inspections/current/sheets?month=${month()}`,
      withSession(session),
    );
    expect(head.status).toBe(200);
    expect(await listed()).toMatchObject([{ looks: 2 }]);
  });

  it('reads nothing after the end, after eight hours, after it was revoked, or without a session', async () => {
    const [short, long, revoked] = [await given({ hours: 1 }), await given(), await given()];
    const sessions = [await inspect(short), await inspect(long), await inspect(revoked)];
    const read = () =>
      Promise.all(sessions.map(async (session) => (await sheets(session, '', other)).status));
    expect(await read()).toEqual([200, 200, 200]);
    await service.call('DELETE', `/v1/attendance/inspections/${revoked.id}`, { session: hr.token });
    expect(await read()).toEqual([200, 200, 404]);
    service.clock.advance(HOUR);
    expect(await read()).toEqual([404, 200, 404]);
    service.clock.advance(7 * HOUR);
    expect(await read()).toEqual([404, 404, 404]);
    expect((await open(long)).status).toBe(201);
    expect(outcome(await sheets(account.key))).toEqual(NOT_FOUND);
    const bare = await service.call('GET', '/v1/attendance/inspections/current');
    expect(outcome(bare)).toEqual(NOT_FOUND);
  });

  it('reads nothing of an account that is not active', async () => {
    const of = await given();
    const session = await inspect(of);
    await service.setStatus(account, 'suspended');
    expect(outcome(await sheets(session))).toEqual(NOT_FOUND);
    expect(outcome(await open(of))).toEqual(NOT_FOUND);
  });
});
describe('the page of an inspection [time/inspection]', () => {
  it('says nothing to who has only its address, and is in no index', async () => {
    const { status, headers, text } = await service.call('GET', '/inspection');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toMatch(/Example|Werk/);
  });
});
