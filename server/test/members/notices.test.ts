import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshFingerprint } from '../support/ceremony.js';
import { enrolWithKey, pendingDevice } from '../support/device-keys.js';
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.js';
import { addMember, freshEmail, invite, logInAgain } from '../support/members.js';
import { forget, reset } from '../support/password-resets.js';
import { registerPerson } from '../support/phone.js';
import { openDesk, openRecovery } from '../support/recoveries.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';
import { proveContest } from '../support/several-phones.js';

const DAY = 24 * 60 * 60_000;
let receiver: MailReceiver;
let service: Service;
let account: Account;
beforeAll(async () => {
  receiver = await startMailReceiver();
  service = await startService({ env: receiver.env });
});
beforeEach(async () => {
  account = await service.signUp({ companyName: 'Example AG' });
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

const mailsTo = (email: string, about: string) =>
  receiver.messages.filter(({ to, subject }) => to.includes(email) && subject.includes(about));
const arrived = (email: string, about: string, count = 1) =>
  vi.waitFor(() => {
    const mails = mailsTo(email, about);
    expect(mails).toHaveLength(count);
    return mails.at(-1) as (typeof mails)[number];
  });
const createKey = (as = account.token, node = service) =>
  node.call('POST', '/api/console/keys', {
    as,
    body: { name: 'Mine\nand yours', environment: 'test', scopes: ['users:read'] },
    address: '203.0.113.7',
  });
const logIn = (
  { email, password }: Pick<Account, 'email' | 'password'>,
  address: string,
  node = service,
): Promise<{ status: number }> =>
  node.call('POST', '/api/console/login', { body: { email, password }, address });

describe('notices to the owners of an account [members/notices]', () => {
  it('tell of a device that enrolled with a key, by its id and no name that somebody chose, and of none without [POST /v1/devices/enroll] [devices/guarded-enrolment]', async () => {
    const { code } = await pendingDevice(service, account, 'test');
    const without = { enrollment_code: code, fingerprint: freshFingerprint() };
    const enrol = (body: object) =>
      service.call('POST', '/v1/devices/enroll', { body, address: freshAddress() });
    expect((await enrol(without)).status).toBe(201);
    const device = await enrolWithKey(service, account);
    const { subject, text } = await arrived(account.email, 'a device with a key');
    expect(subject).toContain('a device with a key was enrolled (live)');
    expect(text).toContain(`Its id is ${device.id}.`);
    expect(text).not.toContain('Lobby kiosk');
    expect(mailsTo(account.email, 'a device with a key')).toHaveLength(1);
  });

  it('tell who made a key, when, from which network, and what to do', async () => {
    const { body } = await createKey();
    const { subject, text } = await arrived(account.email, 'new API key');
    expect(subject).toBe('Your account: a new API key (test)');
    const when = new Date(service.clock.now()).toISOString().replace(/T(..:..).*/, ' $1 UTC');
    expect(text).toBe(`Account: Example AG
What: ${account.email} made a new API key for the test environment. It begins with ${body.apiKey.prefix}.
When: ${when}
From: 203.0.113.0/24

If you expected this, there is nothing to do. If not: revoke the key, and ask who made it.
http://localhost:3000/dashboard
`);
    expect(text).not.toContain(body.apiKey.key);
  });

  it('tell of a key that was rotated, and reach all owners and nobody else', async () => {
    const owner = await addMember(service, account, 'owner');
    const developer = await addMember(service, account, 'developer');
    const path = `/api/console/keys/${account.keyId}/rotate`;
    const rotated = await service.call('POST', path, { as: developer.token, body: { graceSeconds: 0 } });
    expect(rotated.status).toBe(201);
    for (const { email } of [account, owner])
      expect((await arrived(email, 'new API key')).text).toContain(`${developer.email} replaced an API key`);
    expect(mailsTo(developer.email, 'new API key')).toEqual([]);
  });

  it('tell of a recovery that was opened, and name nobody', async () => {
    const desk = await openDesk(service);
    const { userId } = await registerPerson(service, desk.key);
    await openRecovery(service, desk, userId, desk.byRecoverer);
    const { text } = await arrived(desk.email, 'recovery was opened');
    expect(text).toContain(`the phones of the person ${userId} in the live environment`);
    expect(text).toContain('If not: cancel the recovery.');
  });

  it('tell all owners that a recovery was put on hold and confirmed, also who was an owner when it was opened [recoveries/owners-who-confirm]', async () => {
    const desk = await openDesk(service);
    const other = await addMember(service, desk, 'owner');
    const person = await registerPerson(service, desk.clerk);
    const { c } = await openRecovery(service, desk, person.userId, desk.byRecoverer);
    const lowered = await service.call('PATCH', `/api/console/members/${other.id}`, {
      as: desk.token,
      body: { role: 'developer' },
    });
    expect(lowered.status).toBe(200);
    await service.call('POST', '/v1/identity/revoke', { as: desk.clerk, body: { did: person.did } });
    const body = await proveContest(service, person, c.id, { tenantId: desk.tenantId });
    const held = await service.call('POST', `/v1/phone/recoveries/${c.id}/contest`, {
      body,
      address: freshAddress(),
    });
    expect(held.body.recovery).toEqual({ id: c.id, state: 'pending_recovery', held: true });
    await service.call('POST', `/v1/recoveries/${c.id}/confirm`, { session: desk.token });
    for (const { email } of [desk, other]) {
      const { text } = await arrived(email, 'recovery was put on hold');
      expect(text).toContain(
        `objects to the recovery of the person ${person.userId} in the live environment`,
      );
      expect((await arrived(email, 'recovery was confirmed')).text).toContain('It waits until more owners');
    }
  });

  it('are at most 20 an hour for an account', async () => {
    for (let rotations = 0, id = account.keyId; rotations < 22; rotations += 1) {
      const path = `/api/console/keys/${id}/rotate`;
      const { body } = await service.call('POST', path, { as: account.token, body: { graceSeconds: 0 } });
      id = body.apiKey.id;
    }
    await arrived(account.email, 'new API key', 20);
    service.clock.advance(60 * 60_000);
    await createKey();
    await arrived(account.email, 'new API key', 21);
  });
});

describe('a notice to a member [members/notices]', () => {
  it('tells of a log-in from an address that they have not used in 30 days', async () => {
    const address = '198.51.100.23';
    expect((await logIn(account, address)).status).toBe(200);
    const { text } = await arrived(account.email, 'log-in from a new address');
    expect(text).toContain('From: 198.51.100.0/24');
    expect((await logIn(account, address)).status).toBe(200);
    service.clock.advance(30 * DAY - 1);
    expect((await logIn(account, address)).status).toBe(200);
    service.clock.advance(30 * DAY);
    expect((await logIn(account, address)).status).toBe(200);
    await arrived(account.email, 'log-in from a new address', 2);
  });

  it('is for that member alone, and not for the address that they joined from', async () => {
    const address = freshAddress();
    const invitation = await invite(service, account, 'developer');
    const body = { token: invitation.token, name: 'Grace', password: 'correct horse 42 battery' };
    await service.call('POST', '/api/console/invitations/accept', { body, address });
    const grace = { email: invitation.email, password: body.password };
    expect((await logIn(grace, address)).status).toBe(200);
    expect((await logIn(account, address)).status).toBe(200);
    expect((await logIn(grace, freshAddress())).status).toBe(200);
    await arrived(account.email, 'log-in from a new address');
    await arrived(grace.email, 'log-in from a new address');
  });

  it('is not sent for a wrong password', async () => {
    await logIn({ ...account, password: 'a wrong password 7' }, freshAddress());
    await createKey();
    await arrived(account.email, 'new API key');
    expect(mailsTo(account.email, 'log-in from a new address')).toEqual([]);
  });
});

/** Uses a link that was mailed to the owner. */
async function confirm(owner: Account): Promise<void> {
  await forget(service, owner.email);
  const { text } = await arrived(owner.email, 'new password');
  expect((await reset(service, (/#([\w-]{43})/.exec(text) ?? [])[1] as string, owner.password)).status).toBe(
    200,
  );
  Object.assign(owner, await logInAgain(service, owner));
}

const inviting = async (by: Account, email = freshEmail()) => {
  const body = { email, role: 'auditor' };
  const reply = await service.call('POST', '/api/console/members', { as: by.token, body });
  return { email, ...reply.body.invitation };
};

describe('the mail of an invitation [POST /api/console/members] [members/mail-to-strangers]', () => {
  it('is not sent before who invites has used a link that was mailed to them, and the reply says so', async () => {
    const first = await inviting(account);
    expect(first).toMatchObject({ mail: 'unconfirmed', link: expect.stringContaining('/dashboard/join#') });
    await confirm(account);
    const second = await inviting(account);
    expect(second.mail).toBe('sent');
    expect((await arrived(second.email, 'invitation')).text).toContain(second.link);
    expect(mailsTo(first.email, '')).toEqual([]);
    // A second owner is confirmed by their own address only, and not by joining: who invites knows that link too.
    const other = await addMember(service, account, 'owner');
    expect((await inviting({ ...account, ...other })).mail).toBe('unconfirmed');
  });

  it('has nothing that somebody wrote in its subject, and no name with an address', async () => {
    const spam = await service.signUp({ companyName: 'You won! See prizes.example/now' });
    await confirm(spam);
    const { email } = await inviting(spam);
    await service.call('POST', '/api/console/keys', {
      as: spam.token,
      body: { name: 'x', environment: 'test', scopes: ['users:read'] },
    });
    await arrived(spam.email, 'new API key');
    for (const to of [email, spam.email])
      for (const { subject, text } of mailsTo(to, '')) expect(subject + text).not.toMatch(/won|prizes/);
    expect((await arrived(email, 'invitation')).subject).toBe('An invitation to join an account');
    await confirm(account);
    const { text } = await arrived((await inviting(account)).email, 'invitation');
    expect(text).toContain('the account of Example AG');
  });

  it('is off without a mail server, and the reply says so', async () => {
    const silent = await startService();
    const owner = await silent.signUp();
    const body = { email: freshEmail(), role: 'auditor' };
    const reply = await silent.call('POST', '/api/console/members', { as: owner.token, body });
    expect(reply.body.invitation.mail).toBe('off');
    await silent.close();
  });
});

describe('e-mail [members/notices]', () => {
  it('is sent for the first 20 invitations of an account in an hour, and further ones only show their link', async () => {
    await confirm(account);
    const emails: string[] = [];
    for (let n = 0; n < 21; n += 1) emails.push((await invite(service, account, 'auditor')).email);
    await arrived(emails[19] as string, 'invitation');
    expect(mailsTo(emails[20] as string, 'invitation')).toEqual([]);
    service.clock.advance(60 * 60_000);
    const later = await invite(service, account, 'auditor');
    await arrived(later.email, 'invitation');
    expect(mailsTo(emails[20] as string, 'invitation')).toEqual([]);
  });

  it('contains the link of an invitation [members/invitations]', async () => {
    await confirm(account);
    const { email, token } = await invite(service, account, 'auditor');
    const { text } = await arrived(email, 'invitation');
    expect(text).toContain(`http://localhost:3000/dashboard/join#${token}\n`);
  });

  it('blocks and fails nothing if its server hangs, refuses, is gone or is not configured', async () => {
    const hanging = await startMailReceiver({ onConnect: () => {} });
    const refusing = await startMailReceiver({
      onMailFrom: (_, __, done) => done(Object.assign(new Error('No'), { responseCode: 550 })),
    });
    const gone = await startMailReceiver();
    await gone.stop();
    for (const env of [hanging.env, refusing.env, gone.env, {}]) {
      const node = await startService({ env, clock: service.clock });
      expect((await createKey(account.token, node)).status).toBe(201);
      expect((await logIn(account, freshAddress(), node)).status).toBe(200);
      await node.close();
    }
    await Promise.all([hanging.stop(), refusing.stop()]);
  });
});
