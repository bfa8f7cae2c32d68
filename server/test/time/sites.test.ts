import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { Person } from '../support/phone.js';
import { createSite, linkMember, proposeOwn } from '../support/punches.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { employ, memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  account = await service.signUp({ plan: 'enterprise' });
});

const BODY = { name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin' };
const outcome = ({ status, body }: Reply) => [status, body.error ?? 'done'];

describe('sites [time/on-with-a-site] [POST /v1/sites] [GET /v1/sites] [GET /v1/sites/:siteId] [PATCH /v1/sites/:siteId] [site.created] [site.updated]', () => {
  it('are made by an owner, and the first one turns working time on and lists the keys that read attendance', async () => {
    const first = await service.call('POST', '/v1/sites', { session: account.token, body: BODY });
    expect(first.status, first.text).toBe(201);
    expect(first.body.site).toMatchObject({
      ...BODY,
      ...{ retentionMonths: 48, attendanceFrom: 'desk', breaks: true, payroll: null },
    });
    expect(first.body.keys).toMatchObject([{ id: account.keyId }]);
    const second = await service.call('POST', '/v1/sites', { session: account.token, body: BODY });
    expect(second.body.keys).toEqual([]);
    const { sites } = (await service.call('GET', '/v1/sites', { session: account.token })).body;
    expect(sites).toEqual([second.body.site, first.body.site]);
    const developer = await memberWith(service, account, {}, 'developer');
    expect((await service.call('POST', '/v1/sites', { session: developer.token, body: BODY })).status).toBe(
      403,
    );
  });

  it('change, but not to a zone or a country that does not exist [site_not_found]', async () => {
    const { id } = await createSite(service, account);
    const patch = (body: object, of = id) =>
      service.call('PATCH', `/v1/sites/${of}`, { session: account.token, body });
    for (const timeZone of ['Mars/Olympus', '+01:00', ''])
      expect((await patch({ timeZone })).status).toBe(400);
    expect((await patch({ country: 'de' })).status).toBe(400);
    const payroll = { workType: '100', hours: 'clock' };
    expect((await patch({ payroll, timeZone: 'Australia/Lord_Howe' })).body.site).toMatchObject({
      ...{ payroll, timeZone: 'Australia/Lord_Howe' },
    });
    expect(outcome(await patch({ name: 'X' }, randomUUID()))).toEqual([404, 'site_not_found']);
  });
});

it('an environment has at most 500 sites, also if several are created at the same time [site_limit_reached]', async () => {
  const { id } = await createSite(service, account);
  const { tenantId } = account;
  await service.db.query(sql`insert into sites
      (tenant_id, environment, id, name, country, time_zone, retention_months, attendance_from, breaks, created_at, updated_at)
    select tenant_id, environment, gen_random_uuid(), name, country, time_zone, retention_months, attendance_from, breaks, created_at, updated_at
    from sites, generate_series(1, 498) where tenant_id = ${tenantId} and id = ${id}`);
  const create = () => service.call('POST', '/v1/sites', { session: account.token, body: BODY });
  const replies = await Promise.all([create(), create(), create()]);
  expect(replies.map(outcome).sort()).toEqual([
    [201, 'done'],
    [409, 'site_limit_reached'],
    [409, 'site_limit_reached'],
  ]);
  expect(outcome(await create())).toEqual([409, 'site_limit_reached']);
});

describe('people at a site [time/numbers]', () => {
  it('have a number that is theirs alone there [employee_code_taken]', async () => {
    const [north, south] = [await createSite(service, account), await createSite(service, account)];
    const create = (siteId: string | undefined, employeeCode: string) =>
      service.call('POST', '/v1/users', {
        as: account.key,
        body: { fullName: 'Ada Lovelace', ...(siteId && { siteId }), employeeCode },
      });
    const ada = await create(north.id, '1815');
    expect(outcome(ada)).toEqual([201, 'done']);
    expect(outcome(await create(north.id, '1815'))).toEqual([409, 'employee_code_taken']);
    expect(outcome(await create(undefined, '1815'))).toEqual([201, 'done']);
    const grace = await create(south.id, '1815');
    const moved = await service.call('PATCH', `/v1/users/${grace.body.user.id}`, {
      as: account.key,
      body: { siteId: north.id },
    });
    expect(outcome(moved)).toEqual([409, 'employee_code_taken']);
    expect(outcome(await create(randomUUID(), '7'))).toEqual([404, 'site_not_found']);
  });
});

describe('a member who is a person [time/member-link] [POST /v1/phone/member-link] [POST /api/console/members/me/link] [member.linked]', () => {
  let scene: TimeScene;
  let ada: Person;
  beforeEach(async () => {
    scene = await timeScene(service);
    ({ account, ada } = scene);
  });
  it('decides nothing about their own hours [correction_of_oneself]', async () => {
    const hr = await memberWith(service, account, { hours: true });
    const { body } = await service.call('POST', '/api/console/members/me/link', { as: hr.token });
    const grace = await employ(service, scene, { fullName: 'Grace Hopper' });
    expect(outcome(await linkMember(service, ada, account, hr, 'x'))).toEqual([401, 'verification_failed']);
    expect(
      outcome(await linkMember(service, ada, account, { ...hr, id: grace.userId }, body.link.token)),
    ).toEqual([401, 'verification_failed']);
    expect((await linkMember(service, ada, account, hr, body.link.token)).body.member).toEqual({
      id: hr.id,
      userId: ada.userId,
    });
    const again = await service.call('POST', '/api/console/members/me/link', { as: hr.token });
    expect(outcome(await linkMember(service, grace, account, hr, again.body.link.token))).toEqual([
      401,
      'verification_failed',
    ]);
    const occurredAt = new Date(service.clock.now() - 60_000).toISOString();
    const change = { old: null, new: { type: 'check_in' as const, reason: 'work' as const, occurredAt } };
    const own = { userId: ada.userId, cause: 'forgotten' as const, changes: [change] };
    const proposed = await service.call('POST', '/v1/attendance/corrections', { as: hr.token, body: own });
    expect(outcome(proposed)).toEqual([403, 'correction_of_oneself']);
    const { correction } = (await proposeOwn(service, ada, account, { ...own, note: null })).body;
    const decided = await service.call('POST', `/v1/attendance/corrections/${correction.id}/decide`, {
      as: hr.token,
      body: { decision: 'agree' },
    });
    expect(outcome(decided)).toEqual([403, 'correction_of_oneself']);
  });
});
