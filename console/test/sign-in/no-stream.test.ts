// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placesOf } from '../../../server/src/features/openid-provider/sign-in/stream-places.js';
import type { Person } from '../../../server/test/support/phone.js';
import type { Window } from '../support/browser.js';
import {
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  press,
  service,
  shownOn,
  startSignInService,
} from './desk.js';

startSignInService();

let ada: Person;
let window: Window;
let leave: ((() => void) | undefined)[] = [];
beforeAll(async () => {
  ada = await newPerson('Ada Lovelace');
  window = await openBrowser();
  // Somebody else at this address has all of its streams.
  leave = Array.from({ length: 50 }, (_, at) =>
    service.app.deps.streams.reserve(...placesOf(`sign-in ${at}`, '127.0.0.1')),
  );
});
afterAll(async () => {
  for (const release of leave) release?.();
  await window.close();
});

const REFUSED = /status of (409|429)/;

describe('a sign-in page that gets no stream', () => {
  it('asks whether the phone has approved, and goes on', async () => {
    const { page } = window;
    await application.start(page);
    const asked = page.waitForResponse(
      (reply) => reply.url().endsWith('/complete') && reply.status() === 409,
    );
    await shownOn(page);
    await asked;
    await page.getByText('Waiting for your phone').waitFor();
    expect(await page.getByRole('button', { name: 'Show a new code' }).count()).toBe(0);
    await approveShown(page, ada);
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expectCleanSignIn(window, REFUSED);
    await window.context.clearCookies();
  });

  it('offers a new code when nobody has scanned the one it has', async () => {
    const { page } = window;
    await page.clock.install();
    await application.start(page);
    const first = await shownOn(page);
    await page.waitForResponse((reply) => reply.url().endsWith('/complete'));
    await page.clock.fastForward(20_000);
    await press(page, 'Show a new code');
    await page.locator(`[data-qr-payload]:not([data-qr-payload="${first.qrPayload}"])`).waitFor();
    expect((await shownOn(page)).id).not.toBe(first.id);
    await approveShown(page, ada);
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    expectCleanSignIn(window, REFUSED);
    await window.context.clearCookies();
  });
});
