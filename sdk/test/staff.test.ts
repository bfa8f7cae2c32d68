// @module-tag if-touched sdk/ contract/ server/src/features/staff/: a member at a desk, through the SDK
import { readFileSync } from 'node:fs';
import { SvcDevice, SvcError, SvcStaff } from '@svc/sdk';
import { expect, it } from 'vitest';
import { completeCeremony } from '../../server/test/support/ceremony.js';
import { addMember } from '../../server/test/support/members.js';
import { openedDesk } from '../../server/test/support/staff.js';
import { accountOnService } from './account-on-service.js';

const on = accountOnService();

it('a member starts at a desk, finds and registers people, locks a phone, sees who is here, and ends it', async () => {
  const { service, account } = on;
  const { session } = await openedDesk(service, account);
  const desk = new SvcDevice({ baseUrl: service.url, deviceToken: session, maxRetries: 0 });
  const member = await addMember(service, account, 'reception');
  const { email, password } = member;
  await expect(SvcStaff.start(desk, { email, password: 'wrong horse 42 battery' })).rejects.toMatchObject({
    code: 'invalid_credentials',
  });
  const staff = await SvcStaff.start(desk, { email, password });
  expect(staff.member).toEqual({ id: member.id, name: 'Grace Hopper', role: 'reception' });
  expect(Math.round((staff.endsAt - desk.serverNow()) / 60_000)).toBe(10);

  const { identity } = (await completeCeremony(service, account, { profile: { fullName: 'Ada Lovelace' } }))
    .c;
  const [found] = await staff.findPeople('Lovelace');
  expect(found).toMatchObject({ fullName: 'Ada Lovelace', nameConfirmed: false });
  expect(found?.phones.map(({ did }) => did)).toEqual([identity.did]);
  const { session: opened, pair } = await staff.register({
    profile: { fullName: 'Alan Turing' },
    how: 'list',
  });
  expect([opened.state, pair.deeplink.startsWith('svc://')]).toEqual(['awaiting_device', true]);
  const again = await desk.registrations.get(opened.id);
  expect(again.id).toBe(opened.id);

  expect((await staff.lockPhone(identity.did)).revokedAt).not.toBe(null);
  await expect(staff.lockPhone(identity.did.replace(/.$/, '0'))).rejects.toBeInstanceOf(SvcError);
  expect((await staff.findPeople('Lovelace'))[0]?.phones).toEqual([]);
  expect((await staff.presence()).present).toBe(0);
  await staff.end();
  await expect(staff.presence()).rejects.toMatchObject({ code: 'staff_session_invalid', status: 401 });
});

it('the program of docs/reception.md registers somebody whose name the member confirms', async () => {
  const { service } = on;
  const account = await service.signUp({ plan: 'enterprise' });
  const guide = readFileSync(new URL('../../docs/reception.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\nimport .*\n([^`]*)```/.exec(guide) ?? [];
  const { session: deviceToken } = await openedDesk(service, account);
  const { email, password } = await addMember(service, account, 'reception');
  const body = { fullName: 'Ada Lovelace' };
  const { user } = (await service.call('POST', '/v1/users', { as: account.key, body })).body;
  const program = Object.getPrototypeOf(async () => {}).constructor;
  const given = { SvcDevice, SvcStaff, baseUrl: service.url, deviceToken, email, password };
  const all = async () =>
    (await service.call('GET', '/v1/registrations', { as: account.key })).body.registrations;
  const before = (await all()).length;
  const running = new program(...Object.keys(given), code)(...Object.values(given));
  await expect.poll(async () => (await all()).length).toBe(before + 1);
  // Nobody scans the code.
  const [{ id }] = await all();
  expect((await service.call('DELETE', `/v1/registrations/${id}`, { as: account.key })).status).toBe(200);
  await running;
  const found = await service.call('GET', `/v1/users/${user.id}`, { as: account.key });
  expect(found.body.user.nameConfirmation).toMatchObject({ how: 'known' });
});

it('a desk without the session of a device can start nobody', async () => {
  const desk = new SvcDevice({ baseUrl: on.service.url });
  await expect(SvcStaff.start(desk, { email: 'a@b.test', password: 'x' })).rejects.toMatchObject({
    code: 'invalid_options',
  });
});
