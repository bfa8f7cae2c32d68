import { hash, randomUUID } from 'node:crypto';
import { attendancePinBind } from '@svc/zk/field';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemberAccount } from '../support/members.js';
import { type Person, useOf } from '../support/phone.js';
import { listOwn } from '../support/punches.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { proveBind } from '../support/several-phones.js';
import { type OpenDesk, openedDesk, staffAt } from '../support/staff.js';
import { employ, memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
let account: Account;
let desk: OpenDesk;
let ada: Person;
let hr: MemberAccount;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(86_400_000);
  scene = await timeScene(service);
  ({ account, desk } = scene);
  ada = await employ(service, scene, { employeeCode: '1815' });
  hr = await memberWith(service, account, { hours: true }, 'reception');
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? body.attendance?.evidence ?? 'done'];
const atDesk = (path: string, body: object, session = desk.session) =>
  service.call('POST', `/v1/attendance/declared${path}`, { as: session, body });
const declare = (pin: string, more: object = {}) =>
  atDesk('', { number: '1815', pin, type: 'check_in', ...more });

async function setPin(phone: Person, pin: string, sent = pin): Promise<Reply> {
  const { nonce, timestamp } = useOf(service, { tenantId: account.tenantId });
  const where = { tenantId: account.tenantId, environment: 'live', nonce };
  const pinHash = hash('sha256', `svc-pin-v1|${nonce}|${pin}`);
  const proved = await proveBind(phone, attendancePinBind({ ...where, timestampMs: timestamp, pinHash }));
  const body = { ...proved, ...where, timestamp, pin: sent };
  return service.call('POST', '/v1/phone/attendance/pin', { body, address: freshAddress() });
}

describe('without a phone [time/without-a-phone] [POST /v1/attendance/declared]', () => {
  it('somebody clocks in with their number and a PIN that they set on their phone [POST /v1/phone/attendance/pin] [attendance.pin_set]', async () => {
    expect(outcome(await setPin(ada, '482915'))).toEqual([200, 'done']);
    const reply = await declare('482915');
    expect(outcome(reply), reply.text).toEqual([201, 'declared']);
    expect(reply.body.attendance).toMatchObject({
      ...{ userId: ada.userId, mode: 'desk', metadata: { by: 'pin' }, deviceId: desk.device.id },
      ...{ siteId: scene.site.id, result: 'accepted' },
    });
    expect((await declare('482915')).body).toEqual(reply.body);
    expect((await declare('482915', { type: 'check_out' })).body.attendance.type).toBe('check_out');
    const { pin } = (
      await listOwn(service, ada, account, new Date(service.clock.now()).toISOString().slice(0, 7))
    ).body;
    expect(pin).toMatchObject({ setBy: 'phone', mustChange: false });
  });

  it('the proof is bound to the PIN, and a PIN that anybody would guess is rejected', async () => {
    expect(outcome(await setPin(ada, '482915', '482916'))).toEqual([401, 'verification_failed']);
    for (const pin of ['111111', '123456', '654321'])
      expect(outcome(await setPin(ada, pin))).toEqual([400, 'invalid_request']);
  });

  it('a wrong number and a wrong PIN are the same, and five wrong ones lock the number for 15 minutes [pin_rejected] [pin_locked] [attendance.pin_locked]', async () => {
    await setPin(ada, '482915');
    expect(outcome(await atDesk('', { number: '1816', pin: '482915', type: 'check_in' }))).toEqual([
      401,
      'pin_rejected',
    ]);
    const tries = await Promise.all(Array.from({ length: 8 }, () => declare('000001')));
    expect(tries.filter(({ body }) => body.error === 'pin_rejected')).toHaveLength(5);
    expect(outcome(await declare('482915'))).toEqual([429, 'pin_locked']);
    const { audit } = (
      await service.call('GET', '/v1/audit?action=attendance.pin_locked', { as: account.key })
    ).body;
    expect(audit).toMatchObject([{ entityId: ada.userId, status: 'failure', actorType: 'device' }]);
    service.clock.advance(15 * 60_000);
    expect(outcome(await declare('482915'))).toEqual([201, 'declared']);
  });

  it('guesses over many numbers lock the desk, and over many desks the site', async () => {
    const guess = (n: number, session = desk.session) =>
      atDesk('', { number: `x${n}`, pin: '000001', type: 'check_in' }, session);
    const first = await Promise.all(Array.from({ length: 25 }, (_, n) => guess(n)));
    expect(first.filter(({ body }) => body.error === 'pin_rejected')).toHaveLength(20);
    let rejected = 20;
    for (let round = 0; round < 6; round += 1) {
      service.clock.advance(16 * 60_000);
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(100 * (round + 1) + n)));
      rejected += replies.filter(({ body }) => body.error === 'pin_rejected').length;
    }
    expect(rejected).toBe(100);
  });

  it('a member beside the person draws a PIN that has to be changed, or clocks them in [POST /v1/staff/pins] [POST /v1/staff/attendance] [POST /v1/attendance/declared/pin] [pin_change_required]', async () => {
    const headers = await staffAt(service, desk, hr);
    const drawn = await service.call('POST', '/v1/staff/pins', { headers, body: { userId: ada.userId } });
    expect(drawn.status, drawn.text).toBe(201);
    const { pin } = drawn.body;
    expect(pin).toMatch(/^\d{6}$/);
    expect(outcome(await declare(pin))).toEqual([409, 'pin_change_required']);
    const month = new Date(service.clock.now()).toISOString().slice(0, 7);
    const read = await atDesk('/month', { number: '1815', pin, month });
    expect(outcome(read)).toEqual([409, 'pin_change_required']);
    const changed = await atDesk('/pin', { number: '1815', pin, newPin: '482915' });
    expect(changed.status, changed.text).toBe(200);
    expect(outcome(await declare(pin))).toEqual([401, 'pin_rejected']);
    expect(outcome(await declare('482915'))).toEqual([201, 'declared']);
    const beside = await service.call('POST', '/v1/staff/attendance', {
      headers,
      body: { userId: ada.userId, type: 'check_out' },
    });
    expect([beside.status, beside.body.attendance]).toMatchObject([
      201,
      { evidence: 'declared', metadata: { by: 'member' }, type: 'check_out' },
    ]);
  });

  it('somebody reads their month and decides about a correction [POST /v1/attendance/declared/month] [POST /v1/attendance/declared/corrections/:id/decide]', async () => {
    await setPin(ada, '482915');
    await declare('482915');
    service.clock.advance(3_600_000);
    const occurredAt = new Date(service.clock.now() - 60_000).toISOString();
    const { correction } = (
      await service.call('POST', '/v1/attendance/corrections', {
        as: hr.token,
        body: {
          ...{ userId: ada.userId, cause: 'forgotten' },
          changes: [{ old: null, new: { type: 'check_out', reason: 'work', occurredAt } }],
        },
      })
    ).body;
    const month = occurredAt.slice(0, 7);
    const known = { number: '1815', pin: '482915' };
    const own = await atDesk('/month', { ...known, month });
    expect(own.status, own.text).toBe(200);
    expect(own.body).toMatchObject({
      ...{ month, timeZone: 'Europe/Berlin', corrections: [correction] },
      sheet: { userId: ada.userId, counts: { declared: 1 } },
    });
    const decide = (id: string) => atDesk(`/corrections/${id}/decide`, { ...known, decision: 'agree' });
    expect((await decide(randomUUID())).status).toBe(404);
    const decided = await decide(correction.id);
    expect(decided.body.correction).toMatchObject({ state: 'agreed', personBy: 'pin' });
  });

  it('a PIN that was reset counts no more, and the person sees it [DELETE /v1/users/:userId/attendance-pin]', async () => {
    await setPin(ada, '482915');
    const reset = await service.call('DELETE', `/v1/users/${ada.userId}/attendance-pin`, { as: hr.token });
    expect(reset.status, reset.text).toBe(200);
    expect(outcome(await declare('482915'))).toEqual([401, 'pin_rejected']);
    const month = new Date(service.clock.now()).toISOString().slice(0, 7);
    expect((await listOwn(service, ada, account, month)).body.pin).toMatchObject({ setBy: 'reset' });
  });

  it('needs a desk that belongs to a site [desk_without_site]', async () => {
    const other = await openedDesk(service, account);
    const body = { number: '1815', pin: '482915', type: 'check_in' };
    expect(outcome(await atDesk('', body, other.session))).toEqual([409, 'desk_without_site']);
  });
});
