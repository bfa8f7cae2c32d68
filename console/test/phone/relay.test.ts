// @module-tag if-touched @pages console/src/phone/pair/ console/src/phone/phone.tsx console/src/phone/parts/: sign-ins with a code one by one, and the relay attack in two browsers
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createKeyPair,
  deviceToken,
  enrolWithKey,
  openSession,
} from '../../../server/test/support/device-keys.js';
import { openPairing, poll, setPolicy } from '../../../server/test/support/pairing.js';
import { openWindow, type Window } from '../support/browser.js';
import { openSite, type SignInSite, Visitor } from '../support/sign-in-site.js';
import {
  account,
  checkLooks,
  press,
  register,
  service,
  startPhoneService,
  waitForHeading,
} from './phone-desk.js';
import { openPhone, type PhoneWindow, typeNumber } from './phone-window.js';

startPhoneService();

/**
 * Somebody opens a company's sign-in page and shows its code to a victim, who has a registered phone. Two browsers that share
 * nothing play both. Each test ends with what the attacker's page holds.
 */
let site: SignInSite;
let attackersWindow: Window;
let attacker: Visitor;
let victim: PhoneWindow;
beforeAll(async () => {
  site = await openSite(service, account.key);
  attackersWindow = await openWindow(site.origin);
  attacker = new Visitor(attackersWindow.page, site);
  victim = await openPhone(service);
  await register(victim);
});
afterAll(async () => {
  await attackersWindow.close();
  await victim.close();
  await site.close();
});

/** The attacker opens the company's sign-in page. Default: what the policy asks for, and nothing else. */
async function attackerBegins(policy: object = {}, asks: SignInSite['asks'] = {}): Promise<void> {
  const set = await setPolicy(service, account, { origins: [site.origin], ...policy });
  expect(set.status).toBe(200);
  site.asks = { context: { origin: site.origin, application: 'Portal' }, ...asks };
  await attacker.begin(service);
}

/** The victim gets the code in a message and types a number, if the phone asks for one. */
async function victimApproves(code: string, number?: string): Promise<void> {
  const { page } = victim;
  await victim.scanned(code);
  if (number === undefined) await press(page, 'Approve');
  else await typeNumber(page, number);
}

const VICTIMS_SESSION = { state: 'bound', userId: expect.any(String), accessToken: expect.any(String) };
const another = (number: string) => String((Number(number) + 1) % 100).padStart(2, '0');

describe('an attacker who shows a victim the code of their own sign-in page', () => {
  it('without any setting, holds the victim’s session after one approval', async () => {
    await attackerBegins();
    await victimApproves(await attacker.code());
    await waitForHeading(victim.page, 'Signed in');
    expect(await attacker.held()).toEqual(VICTIMS_SESSION);
  });

  it('holds nothing when the victim reads on the phone who asks, and declines', async () => {
    await attackerBegins();
    const { page } = victim;
    await victim.scanned(await attacker.code());
    await page.getByText(new URL(site.origin).host).first().waitFor();
    await press(page, 'This was not me');
    await waitForHeading(page, 'Nobody was signed in');
    await checkLooks(page, 'declined');
    expect(await attacker.held()).toEqual({ state: 'declined' });
    // The audit log names it, so that the company can raise an alarm.
    const { body } = await service.call(
      'GET',
      '/api/console/audit?action=pairing.declined&environment=live',
      {
        as: account.token,
      },
    );
    expect(body.audit[0].metadata).toMatchObject({ reason: 'not_me', proved: true });
    await press(page, 'Done');
  });

  it('keeps an open sign-in when the victim only closes the page, and still holds nothing', async () => {
    await attackerBegins();
    await victim.scanned(await attacker.code());
    await press(victim.page, 'Cancel');
    expect(await attacker.held()).toEqual({ state: 'issued' });
  });

  it('with a number, holds nothing when the victim has to guess it, and the session is over', async () => {
    await attackerBegins({ pairing_match: 'type' });
    const number = await attacker.number();
    expect(number).toMatch(/^\d\d$/);
    await victimApproves(await attacker.code(), another(number));
    await waitForHeading(victim.page, 'Wrong number');
    await checkLooks(victim.page, 'wrong-number');
    expect(await attacker.held()).toEqual({ state: 'rejected' });
    // Knowing the number afterwards is of no use.
    await victim.scanned(await attacker.code());
    await victim.page.getByText('This sign-in was ended.').waitFor();
    expect(await attacker.held()).toEqual({ state: 'rejected' });
  });

  it('with a number, holds the victim’s session only by telling the number in a live conversation', async () => {
    await attackerBegins({ pairing_match: 'type' });
    await victimApproves(await attacker.code(), await attacker.number());
    await waitForHeading(victim.page, 'Signed in');
    expect(await attacker.held()).toEqual(VICTIMS_SESSION);
  });

  it('with a moving code, holds nothing with a picture older than 20 seconds', async () => {
    await attackerBegins({}, { rotate: true });
    const picture = await attacker.code();
    service.clock.advance(20_000);
    await victim.scanned(picture);
    await waitForHeading(victim.page, 'The code has changed');
    await victim.page.getByText('Scan the one shown now.').waitFor();
    await checkLooks(victim.page, 'code-changed');
    expect(await attacker.held()).toEqual({ state: 'issued' });
  });

  it('with a moving code, holds the victim’s session by mirroring it live', async () => {
    await attackerBegins({}, { rotate: true });
    const first = await attacker.code();
    service.clock.advance(30_000);
    const mirrored = await attacker.code();
    expect(mirrored).not.toBe(first);
    await victimApproves(mirrored);
    await waitForHeading(victim.page, 'Signed in');
    expect(await attacker.held()).toEqual(VICTIMS_SESSION);
  });

  it('with desktop_tokens_only, still holds the victim’s session, and the victim’s phone gets none', async () => {
    await attackerBegins({ desktop_tokens_only: true });
    const submitted = victim.page.waitForResponse(/\/submit$/);
    await victimApproves(await attacker.code());
    expect((await (await submitted).json()).tokens).toBeNull();
    await waitForHeading(victim.page, 'Signed in');
    expect(await attacker.held()).toEqual(VICTIMS_SESSION);
  });

  it('with same_device_only, opens no sign-in for another device', async () => {
    await attackerBegins({ same_device_only: true });
    expect(await attacker.number()).toBe('');
    expect(await attacker.held()).toEqual({ state: 'This browser began no sign-in.' });
  });

  it('with same_device_only, holds nothing, because the victim’s own browser is sent back', async () => {
    await attackerBegins({ same_device_only: true }, { sameDevice: true, returnUrl: `${site.origin}/back` });
    await victimApproves(await attacker.code());
    await victim.page.getByText(`Going back to ${new URL(site.origin).host}.`).waitFor();
    await victim.page.waitForURL(`${site.origin}/back`);
    const victims = new Visitor(victim.page, site);
    expect(await victims.heldAfterReturn()).toEqual({ state: 'This browser began no sign-in.' });
    expect(await attacker.held()).toEqual({ state: 'bound' });
  });

  it('with every setting, holds nothing even by telling the number in a live conversation', async () => {
    await attackerBegins(
      { same_device_only: true, pairing_match: 'type', desktop_tokens_only: true },
      { sameDevice: true, returnUrl: `${site.origin}/back` },
    );
    await victimApproves(await attacker.code(), await attacker.number());
    await victim.page.waitForURL(`${site.origin}/back`);
    expect(await attacker.held()).toEqual({ state: 'bound' });
  });
});

describe('an attacker who relays the code of an enrolled kiosk [browsers/enrolled-devices]', () => {
  it('can open no session in its name, and holds nothing of what the kiosk shows', async () => {
    await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
    const kiosk = await enrolWithKey(service, account);
    const copied = {
      ...createKeyPair(),
      id: kiosk.id,
      tenantId: kiosk.tenantId,
      environment: 'live',
    } as const;
    expect((await openSession(service, copied)).body.error).toBe('device_signature_invalid');
    const token = await deviceToken(service, kiosk);
    const shown = await openPairing(service, token);
    // The victim has a picture of the kiosk, and types the number that somebody says.
    await victimApproves(shown.qrPayload, shown.matchCode);
    await waitForHeading(victim.page, 'Signed in');
    const path = `/v1/proof-pairing/sessions/${shown.id}`;
    const seen = await attackersWindow.page.request.get(`${service.origin}${path}`);
    expect(seen.status()).toBe(401);
    // Somebody who stands at the kiosk is signed in there.
    expect((await poll(service, token, shown)).body).toMatchObject({
      session: { state: 'bound' },
      tokens: { accessToken: expect.any(String) },
    });
  });
});

describe('a person who signs in on the phone itself', () => {
  it('approves from the page’s link, comes back, and holds the session there', async () => {
    await setPolicy(service, account, { origins: [site.origin], same_device_only: true });
    site.asks = {
      context: { origin: site.origin, application: 'Portal' },
      sameDevice: true,
      returnUrl: `${site.origin}/back`,
    };
    const { page } = victim;
    const person = new Visitor(page, site);
    await person.begin(service);
    await page.getByRole('link', { name: 'Approve on this phone' }).click();
    await page.getByText('Portal', { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await press(page, 'Approve');
    await page.waitForURL(`${site.origin}/back`);
    expect(await person.heldAfterReturn()).toEqual(VICTIMS_SESSION);
  });
});
