import { randomUUID } from 'node:crypto';
import { memberLinkBind } from '@svc/zk/field';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useOf } from '../support/phone.js';
import { createSite, proposeOwn } from '../support/punches.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { proveBind } from '../support/several-phones.js';
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
  async function link(phone: Person, token: string, memberId: string): Promise<Reply> {
    const { nonce, timestamp } = useOf(service, { tenantId: account.tenantId });
    const where = { tenantId: account.tenantId, environment: 'live', nonce };
    const proved = await proveBind(phone, memberLinkBind({ ...where, timestampMs: timestamp, memberId }));
    const body = { ...proved, ...where, timestamp, token };
    return service.call('POST', '/v1/phone/member-link', { body, address: freshAddress() });
  }

  it('decides nothing about their own hours [correction_of_oneself]', async () => {
    const hr = await memberWith(service, account, { hours: true });
    const { body } = await service.call('POST', '/api/console/members/me/link', { as: hr.token });
    const grace = await employ(service, scene, { fullName: 'Grace Hopper' });
    expect(outcome(await link(ada, 'x', hr.id))).toEqual([401, 'verification_failed']);
    expect(outcome(await link(ada, body.link.token, grace.userId))).toEqual([401, 'verification_failed']);
    expect((await link(ada, body.link.token, hr.id)).body.member).toEqual({ id: hr.id, userId: ada.userId });
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
