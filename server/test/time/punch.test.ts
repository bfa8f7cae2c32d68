import { createHash, randomUUID } from 'node:crypto';
import { sealOf } from '@svc/zk/records/seal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeDevice } from '../support/device-keys.js';
import { type Person, registerPerson } from '../support/phone.js';
import {
  codeAt,
  contest,
  createSite,
  listOwn,
  placeDesk,
  provePunch,
  punchAt,
  readContext,
  type Site,
  send,
} from '../support/punches.js';
import { setPolicy } from '../support/recoveries.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { type OpenDesk, openedDesk } from '../support/staff.js';
import { employ, timeScene } from '../support/time-scene.js';

let service: Service;
let account: Account;
let site: Site;
let desk: OpenDesk;
let ada: Person;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  ({ account, site, desk, ada } = await timeScene(service));
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? body.attendance?.type];
const list = async (query = '') =>
  (await service.call('GET', `/v1/attendance${query}`, { as: account.key })).body.attendance;
const contextAt = async (of = desk) =>
  (await readContext(service, { code: await codeAt(service, of) })).body.context;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const WRONG = [401, 'verification_failed'];

describe('a punch [time/punch] [POST /v1/phone/attendance] [GET /v1/phone/attendance/context] [attendance.created]', () => {
  it('is an event with the time of the service, and the phone can recompute its seal', async () => {
    const shown = await contextAt();
    const scannedAt = service.clock.now();
    service.clock.advance(90_000);
    const { status, text, body } = await send(service, await provePunch(ada, shown, { activity: 'night' }));
    expect(status, text).toBe(201);
    const { attendance, receipt } = body;
    expect(attendance).toMatchObject({
      ...{ userId: ada.userId, type: 'check_in', reason: 'work', activity: 'night', mode: 'desk' },
      ...{ evidence: 'proved', deviceId: desk.device.id, siteId: site.id, verificationId: null },
      ...{ correctionId: null, contestedAt: null, voidedBy: null, result: 'accepted' },
      occurredAt: new Date(scannedAt).toISOString(),
    });
    expect(await list()).toEqual([attendance]);
    const { n, salts, entry, head } = receipt;
    const { seal } = sealOf({ kind: 'attendance', n, record: attendance, salts }, digest);
    expect(entry).toMatchObject({
      ...{ action: 'attendance.created', actorType: 'phone', entityId: attendance.id },
      metadata: { seal, siteId: site.id, period: '2026-05', codeId: desk.device.id, evidence: 'proved' },
    });
    expect([head.seq, head.hash]).toEqual([entry.seq, entry.hash]);
  });

  it('counts until two minutes after the scan, and a code for a minute [attendance_code_invalid]', async () => {
    const code = await codeAt(service, desk);
    const shown = await contextAt();
    const early = await provePunch(ada, shown);
    const late = await provePunch(ada, shown);
    service.clock.advance(120_000);
    expect(outcome(await send(service, early))).toEqual([201, 'check_in']);
    service.clock.advance(1);
    expect(outcome(await send(service, late))).toEqual([404, 'attendance_code_invalid']);
    expect(outcome(await readContext(service, { code }))).toEqual([404, 'attendance_code_invalid']);
    expect(await list()).toHaveLength(1);
  });

  it('sent again after a lost answer is the same event for ten minutes', async () => {
    const body = await provePunch(ada, await contextAt());
    const first = await send(service, body);
    service.clock.advance(9 * 60_000);
    const again = await send(service, body);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const both = await Promise.all([send(service, body), send(service, body)]);
    expect(both.map((reply) => reply.body)).toEqual([first.body, first.body]);
    service.clock.advance(2 * 60_000);
    expect(outcome(await send(service, body))).toEqual([404, 'attendance_code_invalid']);
    expect(await list()).toHaveLength(1);
  });

  it('sent twice at the same time is one event', async () => {
    const body = await provePunch(ada, await contextAt());
    const replies = await Promise.all([send(service, body), send(service, body), send(service, body)]);
    expect(new Set(replies.map((reply) => reply.body.attendance?.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it('proves all that it says: another person, act, place, time or nonce is the same 401', async () => {
    const shown = await contextAt();
    const grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
    const other = { deviceId: randomUUID(), name: 'Elsewhere' };
    const good = await provePunch(ada, shown);
    const bad = [
      { ...good, did: grace.did },
      { ...good, type: 'check_out' },
      { ...good, reason: 'break' },
      { ...good, activity: 'day' },
      { ...good, nonce: randomUUID() },
      { ...good, environment: 'test' },
      { ...good, ticket: `${good.ticket}x` },
      await provePunch(ada, shown, { proved: { scannedAt: new Date(0).toISOString() } }),
      await provePunch(ada, shown, { proved: { place: other } }),
      await provePunch(ada, shown, { proved: { company: 'Another' } }),
      await provePunch(ada, shown, { proved: { mode: 'remote', place: null } }),
    ];
    for (const body of bad) expect(outcome(await send(service, body))).toEqual(WRONG);
    expect(await list()).toEqual([]);
  });

  it('is none at a device that was revoked while people queued, nor in an account that is suspended', async () => {
    const shown = await contextAt();
    const code = await codeAt(service, desk);
    const body = await provePunch(ada, shown);
    await revokeDevice(service, account, desk.device);
    expect(outcome(await send(service, body))).toEqual(WRONG);
    expect(outcome(await readContext(service, { code }))).toEqual([404, 'attendance_code_invalid']);
  });

  it('has a place with a name that a phone can show, or else the id [time/shown-names]', async () => {
    await service.call('PATCH', `/v1/devices/${desk.device.id}`, {
      as: account.key,
      body: { name: '\u202egate' },
    });
    expect((await contextAt()).place.name).toBe('gate');
    await service.call('PATCH', `/v1/devices/${desk.device.id}`, {
      as: account.key,
      body: { name: '\u2066\u2069' },
    });
    expect(outcome(await send(service, await provePunch(ada, await contextAt())))[0]).toBe(201);
  });
});

describe('who may clock in [time/who-may]', () => {
  it('is whose name a member confirmed or the account wrote, unless the policy says otherwise [name_not_confirmed]', async () => {
    const stranger = await registerPerson(service, account.key);
    expect(outcome(await punchAt(service, desk, stranger))).toEqual([403, 'name_not_confirmed']);
    await setPolicy(service, account, { attendance: { confirmed_only: false } });
    expect(outcome(await punchAt(service, desk, stranger))).toEqual([201, 'check_in']);
  });

  it('at their own place only with leave: the person’s, or else that of their site [attendance_remote_refused]', async () => {
    const { tenantId } = account;
    const remote = async () => {
      const { body } = await readContext(service, { tenantId, environment: 'live' });
      return outcome(await send(service, await provePunch(ada, body.context)));
    };
    const allow = (path: string, attendanceFrom: string | null, as: string) =>
      service.call('PATCH', path, { as, body: { attendanceFrom } });
    const owner = await service.createKey(account, 'live', ['sites:write']);
    expect(await remote()).toEqual([403, 'attendance_remote_refused']);
    await allow(`/v1/users/${ada.userId}`, 'anywhere', account.key);
    expect(await remote()).toEqual([201, 'check_in']);
    expect((await list())[0]).toMatchObject({ mode: 'remote', deviceId: null, siteId: site.id });
    await allow(`/v1/sites/${site.id}`, 'anywhere', owner);
    await allow(`/v1/users/${ada.userId}`, 'desk', account.key);
    expect(await remote()).toEqual([403, 'attendance_remote_refused']);
    await allow(`/v1/users/${ada.userId}`, null, account.key);
    expect(await remote()).toEqual([201, 'check_in']);
  });

  it('at a desk only on the networks of the policy [attendance_network_refused]', async () => {
    const code = await codeAt(service, desk);
    const body = await provePunch(ada, await contextAt());
    await setPolicy(service, account, { attendance: { networks: ['192.0.2.0/24'] } });
    expect(outcome(await readContext(service, { code }))).toEqual([403, 'attendance_network_refused']);
    expect(outcome(await send(service, body))).toEqual([403, 'attendance_network_refused']);
    const inside = { address: '192.0.2.7' };
    const there = await service.call(
      'GET',
      `/v1/phone/attendance/context?code=${encodeURIComponent(code)}`,
      inside,
    );
    expect(there.status).toBe(200);
    expect(outcome(await service.call('POST', '/v1/phone/attendance', { body, ...inside }))[0]).toBe(201);
  });

  it('ends with the phone and with the person', async () => {
    const [first, second] = [
      await provePunch(ada, await contextAt()),
      await provePunch(ada, await contextAt()),
    ];
    await service.call('PATCH', `/v1/users/${ada.userId}`, { as: account.key, body: { status: 'inactive' } });
    expect(outcome(await send(service, first))).toEqual(WRONG);
    await service.call('PATCH', `/v1/users/${ada.userId}`, { as: account.key, body: { status: 'active' } });
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: ada.did } });
    expect(outcome(await send(service, second))).toEqual(WRONG);
  });
});

describe('one’s own month [time/own-month] [POST /v1/phone/attendance/list] [POST /v1/phone/attendance/:id/contest] [attendance.contested]', () => {
  const month = () => new Date(service.clock.now()).toISOString().slice(0, 7);

  it('has what the person and others recorded, with proofs, and nothing of anybody else', async () => {
    const grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
    await punchAt(service, desk, grace);
    const own = await punchAt(service, desk, ada);
    await service.call('POST', '/v1/attendance', {
      as: account.key,
      body: { userId: ada.userId, type: 'check_out', deviceId: desk.device.id },
    });
    const { status, text, body } = await listOwn(service, ada, account, month());
    expect(status, text).toBe(200);
    expect(body.attendance.map((row: { attendance: object }) => row.attendance)).toMatchObject([
      { id: own.body.attendance.id, evidence: 'proved' },
      { type: 'check_out', evidence: 'asserted' },
    ]);
    expect(body.timeZone).toBe('Europe/Berlin');
    for (const { attendance, n, salts, entry, inclusion } of body.attendance) {
      const { seal } = sealOf({ kind: 'attendance', n, record: attendance, salts }, digest);
      expect(entry.metadata.seal).toBe(seal);
      expect(inclusion === null).toBe(body.tree === null);
    }
    expect((await listOwn(service, ada, account, '2026-04')).body.attendance).toEqual([]);
  });

  it('lets the person say that an event is wrong, which stays as it is [time/contest]', async () => {
    const { body } = await punchAt(service, desk, ada);
    const { id } = body.attendance;
    const grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
    expect(outcome(await contest(service, grace, account, id))).toEqual([404, 'attendance_not_found']);
    expect(outcome(await contest(service, ada, account, randomUUID()))).toEqual([
      404,
      'attendance_not_found',
    ]);
    const contested = await contest(service, ada, account, id);
    const contestedAt = new Date(service.clock.now()).toISOString();
    expect(contested.body.attendance).toEqual({ ...body.attendance, contestedAt });
    service.clock.advance(1_000);
    expect((await contest(service, ada, account, id)).body).toEqual(contested.body);
  });
});

it('somebody of another site is counted at their own, wherever the desk is [time/site-of-an-event]', async () => {
  const south = await createSite(service, account, { name: 'Süd', timeZone: 'Europe/Madrid', country: 'ES' });
  const other = await openedDesk(service, account);
  await placeDesk(service, account, other, south);
  expect((await punchAt(service, other, ada)).body.attendance.siteId).toBe(site.id);
  const visitor = await employ(service, { account, site }, { siteId: undefined });
  expect((await punchAt(service, other, visitor)).body.attendance.siteId).toBe(south.id);
});
