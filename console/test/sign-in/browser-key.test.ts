// @module-tag if-touched @pages console/src/sign-in/ console/test/sign-in/: the hosted sign-in pages; their server is tested
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { openPhone } from '../phone/phone-window.js';
import {
  account,
  application,
  approveShown,
  expectCleanSignIn,
  newPerson,
  openBrowser,
  press,
  registerWindow,
  service,
  shownOn,
  startSignInService,
  waitForHeading,
} from './desk.js';

startSignInService();

/** What the page keeps of its key. */
const keysOf = (page: Page) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('svc-sign-in');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction('keys').objectStore('keys').getAll();
      all.onsuccess = () => { opening.result.close(); resolve(all.result.map(({ id, privateKey, jwk }) =>
        ({ id, jwk, extractable: privateKey.extractable, usages: privateKey.usages }))); };
    };
  })`) as Promise<{ id: string; jwk: object; extractable: boolean; usages: string[] }[]>;

const browsersOf = (name: string) =>
  service.db.query<{ how: string }>(
    sql`select b.how from known_browsers b join tenant_users u on u.tenant_id = b.tenant_id and u.id = b.user_id
      where b.tenant_id = ${account.tenantId} and u.full_name = ${name}`,
  );

const sessionOf = async (id: string) =>
  (await service.db.query(sql`select browser_key from proof_pairing_sessions where id = ${id}`))[0];

describe('the key of a browser', () => {
  it('is one for each browser, which cannot be taken out of it, and signs the sign-in', async () => {
    const desk = await openBrowser();
    const { page } = desk;
    await application.start(page);
    const first = await shownOn(page);
    const [key, ...others] = await keysOf(page);
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      id: `${account.tenantId}/live`,
      extractable: false,
      usages: ['sign'],
    });
    expect(await sessionOf(first.id)).toEqual({ browser_key: key?.jwk });
    await application.start(page);
    const second = await shownOn(page);
    expect(await sessionOf(second.id)).toEqual({ browser_key: key?.jwk });
    await approveShown(page, await newPerson('Ada Lovelace'));
    expect(await application.result(page)).toMatchObject({ name: 'Ada Lovelace' });
    // With a number alone, the browser does not become known.
    expect(await browsersOf('Ada Lovelace')).toEqual([]);
    expectCleanSignIn(desk);
    await desk.close();
  });

  it('makes the browser known after a sign-in on the phone itself', async () => {
    const phone = await openPhone(service, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = phone;
    await registerWindow(phone, 'Grace Hopper');
    await application.start(page);
    await shownOn(page);
    await press(page, 'Approve on this phone');
    await waitForHeading(page, 'Approve this sign-in?');
    await press(page, 'Approve');
    expect(await application.result(page)).toMatchObject({ name: 'Grace Hopper' });
    expect(await browsersOf('Grace Hopper')).toEqual([{ how: 'same_device' }]);
    expectCleanSignIn(phone, /status of 404/);
    await phone.close();
  });

  it('is missing without storage, and the sign-in works as before', async () => {
    const desk = await openBrowser();
    const { page } = desk;
    await page.addInitScript("Object.defineProperty(window, 'indexedDB', { value: undefined });");
    await application.start(page);
    const { id } = await shownOn(page);
    expect(await sessionOf(id)).toEqual({ browser_key: null });
    await approveShown(page, await newPerson('Mary Jackson'));
    expect(await application.result(page)).toMatchObject({ name: 'Mary Jackson' });
    expectCleanSignIn(desk);
    await desk.close();
  });
});
