// @module-tag if-touched @pages console/src/phone/identities/ console/src/phone/phones/ console/src/phone/additions/ console/src/phone/phone.tsx console/src/phone/parts/ zk/artifacts/ zk/kernel/ zk/src/approvals/ zk/src/field.ts zk/src/prover/ zk/src/rendezvous.ts: another phone is added, and a lost one removed, in the browser
import { describe, expect, it } from 'vitest';
import { setPolicy } from '../../../server/test/support/pairing.js';
import { expectClean } from '../support/browser.js';
import {
  account,
  checkLooks,
  press,
  register,
  service,
  startPhoneService,
  waitForHeading,
  waitForIsolated,
} from './phone-desk.js';
import { databaseOf, openPhone, stolenSecret, withScreenLock } from './phone-window.js';
import {
  addPhone,
  failToSignIn,
  openPart,
  openPhonesAndKey,
  scanCode,
  showCode,
  signIn,
  typeDigits,
} from './phones-steps.js';

startPhoneService();

/** Digits that are not these. */
const otherThan = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0');

describe('the phone page', () => {
  it('adds another phone, which then signs in as the same person, and sends no secret', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const person = await signIn(phone);
    await openPhonesAndKey(phone.page);
    await checkLooks(phone.page, 'phones');
    await phone.page.getByRole('button', { name: 'Add another phone' }).click();
    await waitForHeading(phone.page, 'Add another phone');
    await checkLooks(phone.page, 'add');
    const address = await showCode(phone);
    expect(address).toMatch(/\/phone\/#add=SV-/);
    await checkLooks(phone.page, 'add-code');

    await other.page.goto(address);
    await waitForHeading(other.page, 'Use this phone as well?');
    expect(new URL(other.page.url()).hash).toBe('');
    expect(other.bodies).toEqual([]);
    await checkLooks(other.page, 'join');
    await press(other.page, 'Continue');
    await waitForHeading(other.page, 'Add this phone?');
    await waitForIsolated(other.page, 'Example AG');
    await checkLooks(other.page, 'join-confirm');
    await press(other.page, 'Add this phone');
    await waitForHeading(other.page, 'Type these digits on your other phone');
    await checkLooks(other.page, 'join-digits');
    const digits = ((await other.page.locator('output').textContent()) ?? '').replace(' ', '');
    await waitForHeading(phone.page, 'Which digits does it show?');
    await checkLooks(phone.page, 'add-digits');
    await typeDigits(phone, digits);
    await waitForHeading(phone.page, 'Phone added');
    await checkLooks(phone.page, 'added');
    await waitForHeading(other.page, 'This phone is added');
    await checkLooks(other.page, 'joined');
    await press(other.page, 'Done');
    await other.page.getByText('Not used yet').waitFor();
    expect(await signIn(other)).toBe(person);
    expect(await signIn(phone)).toBe(person);

    const { hex } = await stolenSecret(other.page);
    for (const part of [hex.slice(0, 62), hex.slice(62)])
      for (const form of [part, BigInt(`0x${part}`).toString()])
        expect([...phone.bodies, ...other.bodies].join()).not.toContain(form);
    expect((await databaseOf(other.page)).joinings).toEqual([]);
    for (const window of [phone, other]) {
      expectClean(window);
      await window.close();
    }
  });

  it('adds nobody after wrong digits, and deletes the unused identity of the other phone [phones/secrets-in-force]', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const digits = await scanCode(other, await showCode(phone));
    await typeDigits(phone, otherThan(digits));
    await waitForHeading(phone.page, 'Nobody was added');
    await phone.page.getByText('Did you mistype?').waitFor();
    await checkLooks(phone.page, 'add-rejected');
    await waitForHeading(other.page, 'This phone was not added');
    await checkLooks(other.page, 'join-rejected');
    const { identities, joinings } = await databaseOf(other.page);
    expect([identities, joinings]).toEqual([[], []]);
    expect(phone.bodies.filter((body) => body.includes('newDid'))).toEqual([]);
    await press(phone.page, 'Start again');
    await waitForHeading(phone.page, 'Add another phone');
    for (const window of [phone, other]) {
      expectClean(window);
      await window.close();
    }
  });

  it('tells an added phone from when it can be used, if the account lets it wait [identities/policy]', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    await setPolicy(service, account, { addition_cooldown_hours: 4 });
    await addPhone(phone, other);
    await setPolicy(service, account, { addition_cooldown_hours: 0 });
    await checkLooks(other.page, 'join-waits');
    await other.page.getByText('You can sign in at Example AG with this phone from').waitFor();
    await press(other.page, 'Done');
    await other.page.getByText('You can sign in with this phone from').waitFor();
    await failToSignIn(other, 'This phone can be used from');
    for (const window of [phone, other]) await window.close();
  });

  it('adds nobody when the person says that it is not their phone, or leaves', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    await scanCode(other, await showCode(phone));
    await waitForHeading(phone.page, 'Which digits does it show?');
    await press(phone.page, 'Not my phone');
    await waitForHeading(phone.page, 'Nobody was added');
    await waitForHeading(other.page, 'This phone was not added');
    const address = await showCode(phone);
    await press(phone.page, 'Cancel');
    await phone.page.getByText('Not used yet').waitFor();
    await other.page.goto('about:blank');
    await other.page.goto(address);
    await press(other.page, 'Continue');
    await other.page.getByText('already used').waitFor();
    expect((await databaseOf(other.page)).joinings).toEqual([]);
    expectClean(phone);
    expectClean(other, /status of 4(04|09)/);
    for (const window of [phone, other]) await window.close();
  });

  it('continues an addition after the page was closed and a connection was lost, behind the screen lock', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await withScreenLock(phone);
    await withScreenLock(other);
    await register(phone);
    const REVEAL = '**/v1/phone/additions/*/reveal';
    await phone.page.route(REVEAL, async (route) => {
      await route.fetch();
      await route.abort();
    });
    const digits = await scanCode(other, await showCode(phone));
    await phone.page.getByText('The service did not respond.').waitFor();
    await phone.page.unroute(REVEAL);
    await press(phone.page, 'Try again');
    await waitForHeading(phone.page, 'Which digits does it show?');
    await other.page.goto('about:blank');
    await other.page.goto('/phone/');
    await other.page.getByText('is not finished').waitFor();
    await checkLooks(other.page, 'join-unfinished');
    await press(other.page, 'Continue');
    await other.page.getByText(`${digits.slice(0, 3)} ${digits.slice(3)}`).waitFor();
    await typeDigits(phone, digits);
    await waitForHeading(other.page, 'This phone is added');
    const { identities } = await databaseOf(other.page);
    expect(identities.map(({ protection, confirmed }) => [protection.kind, confirmed])).toEqual([
      ['screen-lock', true],
    ]);
    for (const window of [phone, other]) {
      expectClean(window, /ERR_FAILED|status of 409/);
      await window.close();
    }
  });

  it('keeps an identity that may have been added when the last answer does not arrive in time [phones/secrets-in-force]', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    const digits = await scanCode(other, await showCode(phone));
    await other.page.goto('about:blank');
    await typeDigits(phone, digits);
    await waitForHeading(phone.page, 'Phone added');
    await other.page.goto('/phone/');
    await other.page.getByRole('button', { name: 'Continue', exact: true }).waitFor();
    service.clock.advance(5 * 60_000 + 1);
    await press(other.page, 'Continue');
    await waitForHeading(other.page, 'Look at your other phone');
    await checkLooks(other.page, 'join-unconfirmed');
    expect((await databaseOf(other.page)).identities).toMatchObject([{ confirmed: false }]);
    await signIn(other);
    expect((await databaseOf(other.page)).identities).toMatchObject([{ confirmed: true }]);
    for (const window of [phone, other]) await window.close();
  });

  it('removes a lost phone from another one', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    await addPhone(phone, other);
    await signIn(other);
    await openPart(phone.page, 'A phone is lost');
    await waitForHeading(phone.page, 'Your phones');
    await phone.page.getByText('This phone').waitFor();
    await checkLooks(phone.page, 'list');
    await phone.page.getByRole('button', { name: 'Remove', exact: false }).nth(1).click();
    await phone.page.getByRole('heading', { name: 'Remove this phone?' }).waitFor();
    await checkLooks(phone.page, 'remove-phone');
    await press(phone.page, 'Remove it');
    await phone.page.getByText('This is your only phone.').waitFor();
    await failToSignIn(other);
    await signIn(phone);
    expectClean(phone);
    for (const window of [phone, other]) await window.close();
  });

  it('removes the phone in one’s hand, with its secret', async () => {
    const [phone, other] = [await openPhone(service), await openPhone(service)];
    await register(phone);
    await addPhone(phone, other);
    await openPart(phone.page, 'A phone is lost');
    await press(phone.page, 'Remove This phone');
    await press(phone.page, 'Remove it');
    await waitForHeading(phone.page, 'Phone removed');
    expect((await databaseOf(phone.page)).identities).toEqual([]);
    await press(phone.page, 'Done');
    await waitForHeading(phone.page, 'No identity yet');
    await signIn(other);
    expectClean(phone);
    for (const window of [phone, other]) await window.close();
  });
});
