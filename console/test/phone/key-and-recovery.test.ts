// @module-tag if-touched @pages console/src/phone/identities/ console/src/phone/key/ console/src/phone/phones/ console/src/phone/phone.tsx console/src/phone/parts/ zk/artifacts/ zk/kernel/ zk/src/approvals/ zk/src/field.ts zk/src/prover/ zk/src/rendezvous.ts: a phone's key changes, and a person objects to a recovery, in the browser
import { describe, expect, it } from 'vitest';
import { openFor, runJob } from '../../../server/test/support/recoveries.js';
import { freshAddress } from '../../../server/test/support/service.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  press,
  register,
  service,
  startPhoneService,
  stateAtDesk,
  waitForHeading,
} from './phone-desk.js';
import { databaseOf, openPhone, type PhoneWindow, stolenSecret, withScreenLock } from './phone-window.js';
import { failToSignIn, openPart, signIn } from './phones-steps.js';

startPhoneService();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const ROTATE = '**/v1/identity/rotate';
const NO_RESPONSE = 'The service did not respond.';

const changeKey = async ({ page }: PhoneWindow) => {
  await openPart(page, 'Change my key');
  await waitForHeading(page, 'Change my key?');
  await press(page, 'Change key');
};
const identityOf = async ({ page }: PhoneWindow) => {
  const [identity] = (await databaseOf(page)).identities;
  if (identity === undefined) throw new Error('the phone has no identity');
  return identity;
};

describe('changing the key on the phone page', () => {
  it('replaces the secret, keeps the DID, and the phone signs in as the same person', async () => {
    const phone = await openPhone(service);
    await register(phone);
    const person = await signIn(phone);
    const [before, stolen] = [await identityOf(phone), await stolenSecret(phone.page)];
    await openPart(phone.page, 'Change my key');
    await checkLooks(phone.page, 'key');
    await press(phone.page, 'Change key');
    await waitForHeading(phone.page, 'Key changed');
    await checkLooks(phone.page, 'key-changed');
    const after = await identityOf(phone);
    expect(after).toMatchObject({ did: before.did, enrolment: { userId: person } });
    expect(after.commitment).not.toBe(before.commitment);
    expect(after.renewal).toBeUndefined();
    const { hex } = await stolenSecret(phone.page);
    expect(hex).not.toBe(stolen.hex);
    expect(phone.bodies.join()).not.toContain(BigInt(`0x${hex.slice(0, 62)}`).toString());
    expect(await signIn(phone)).toBe(person);
    expectClean(phone);
    await phone.close();
  });

  it('uses the new secret after a lost response, and finds out with the next sign-in that it is in force [phones/secrets-in-force]', async () => {
    const phone = await openPhone(service);
    await register(phone);
    const person = await signIn(phone);
    await phone.page.route(ROTATE, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await changeKey(phone);
    await phone.page.getByText(NO_RESPONSE).waitFor();
    await phone.page.getByText('this phone keeps both keys').waitFor();
    await checkLooks(phone.page, 'key-unknown');
    const { renewal } = await identityOf(phone);
    expect(await signIn(phone)).toBe(person);
    const after = await identityOf(phone);
    expect([after.commitment, after.renewal]).toEqual([renewal?.commitment, undefined]);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('uses the old secret after a request that never arrived, and changes the key with the next attempt [phones/secrets-in-force]', async () => {
    const phone = await openPhone(service);
    await withScreenLock(phone);
    await register(phone);
    const person = await signIn(phone);
    await phone.page.route(ROTATE, (route) => route.abort());
    await changeKey(phone);
    await phone.page.getByText(NO_RESPONSE).waitFor();
    const { renewal } = await identityOf(phone);
    expect(await signIn(phone)).toBe(person);
    expect((await identityOf(phone)).renewal).toEqual(renewal);
    await phone.page.unroute(ROTATE);
    await changeKey(phone);
    await waitForHeading(phone.page, 'Key changed');
    const after = await identityOf(phone);
    expect([after.commitment, after.renewal]).toEqual([renewal?.commitment, undefined]);
    expect(await signIn(phone)).toBe(person);
    expectClean(phone, /ERR_FAILED|status of 401/);
    await phone.close();
  });

  it('finds out with the next attempt that the key had already changed [phones/secrets-in-force]', async () => {
    const phone = await openPhone(service);
    await register(phone);
    await phone.page.route(ROTATE, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await changeKey(phone);
    await phone.page.getByText(NO_RESPONSE).waitFor();
    await phone.page.unroute(ROTATE);
    const { renewal } = await identityOf(phone);
    await press(phone.page, 'Change key');
    await waitForHeading(phone.page, 'Key changed');
    expect((await identityOf(phone)).commitment).toBe(renewal?.commitment);
    await signIn(phone);
    expectClean(phone, /ERR_FAILED/);
    await phone.close();
  });

  it('says that the key was changed too often, and keeps the one in force', async () => {
    const phone = await openPhone(service);
    await register(phone);
    for (let change = 0; change < 3; change++) {
      await changeKey(phone);
      await waitForHeading(phone.page, 'Key changed');
    }
    const before = await identityOf(phone);
    await changeKey(phone);
    await phone.page.getByText('was changed three times today').waitFor();
    expect(await identityOf(phone)).toEqual(before);
    await signIn(phone);
    expectClean(phone, /status of 429/);
    await phone.close();
  });

  it('changes nothing when the person does not unlock the phone', async () => {
    const phone = await openPhone(service);
    const lock = await withScreenLock(phone);
    await register(phone);
    const before = await identityOf(phone);
    await lock.reject();
    await changeKey(phone);
    await phone.page.getByText('The phone was not unlocked').waitFor();
    expect(await identityOf(phone)).toEqual(before);
    await lock.replace();
    expectClean(phone);
    await phone.close();
  });
});

/** The desk registers a new phone for the person, who then waits for it. */
async function recover(phone: PhoneWindow, userId: string): Promise<string> {
  // Recovering needs a confirmed log-in.
  await service.call('POST', '/api/console/step-up', {
    session: account.token,
    body: { password: account.password },
    address: freshAddress(),
  });
  const { body } = await openFor(service, userId, { session: account.token });
  await phone.scanned(body.pair.deeplink);
  await press(phone.page, 'Continue');
  await press(phone.page, 'Register');
  await phone.page.getByRole('heading', { name: /^This phone takes over on / }).waitFor();
  return body.session.id;
}

describe('a recovery on the phone page', () => {
  it('lets another phone stop a recovery that is not the person’s', async () => {
    const [phone, replacing] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const id = await recover(replacing, await signIn(phone));
    await openPart(phone.page, 'A phone is lost');
    await waitForHeading(phone.page, 'Somebody is replacing your phones');
    await checkLooks(phone.page, 'recovery');
    await press(phone.page, 'That is me');
    await phone.page.getByText('Nothing was changed.').waitFor();
    expect(await stateAtDesk(id)).toBe('pending_recovery');
    await openPart(phone.page, 'A phone is lost');
    await press(phone.page, 'This is not me');
    await waitForHeading(phone.page, 'Stopped');
    await checkLooks(phone.page, 'recovery-stopped');
    expect(await stateAtDesk(id)).toBe('abandoned');
    await signIn(phone);
    expectClean(phone);
    for (const window of [phone, replacing]) await window.close();
  });

  it('is held by a phone that the desk has revoked, from a link in a message', async () => {
    const [phone, replacing] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const person = await signIn(phone);
    const { did } = await identityOf(phone);
    expect(
      (await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } })).status,
    ).toBe(200);
    const id = await recover(replacing, person);
    await phone.page.goto('about:blank');
    await phone.page.goto(`/phone/#recovery=${id}`);
    await waitForHeading(phone.page, 'Was a new phone registered for you?');
    await checkLooks(phone.page, 'recovery-link');
    await press(phone.page, 'This is not me');
    await waitForHeading(phone.page, 'On hold');
    await checkLooks(phone.page, 'recovery-held');
    expect(await stateAtDesk(id)).toBe('pending_recovery');
    await openPart(phone.page, 'A phone is lost');
    await phone.page.getByText('You objected.').waitFor();
    await phone.page.getByText('This phone was removed or replaced.').waitFor();
    await checkLooks(phone.page, 'recovery-objected');
    expectClean(phone);
    for (const window of [phone, replacing]) await window.close();
  });

  // The last one, because the account's session has ended after a day.
  it('says on the new phone that it is not active yet, until it takes over', async () => {
    const [phone, replacing] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const person = await signIn(phone);
    const id = await recover(replacing, person);
    await checkLooks(replacing.page, 'recovery-registered');
    await press(replacing.page, 'Done');
    await replacing.page.getByText('Not active yet').waitFor();
    await checkLooks(replacing.page, 'not-active');
    await failToSignIn(replacing, 'This phone can be used from');
    expect(await identityOf(replacing)).toMatchObject({ confirmed: false });
    expect(await signIn(phone)).toBe(person);

    service.clock.advance(DAY_MS + MINUTE_MS);
    await runJob(service);
    expect(await stateAtDesk(id)).toBe('completed');
    expect(await signIn(replacing)).toBe(person);
    const { confirmed, inForceAt } = await identityOf(replacing);
    expect([confirmed, inForceAt]).toEqual([true, undefined]);
    await replacing.page.goto('/phone/');
    await replacing.page.getByText('Used just now').waitFor();
    expect(await replacing.page.getByText('Not active yet').count()).toBe(0);
    await failToSignIn(phone);
    for (const window of [phone, replacing]) await window.close();
  });
});
