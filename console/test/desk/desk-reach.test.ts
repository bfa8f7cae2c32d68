// @module-tag if-touched @pages console/src/desk/ console/test/desk/: a desk with the keyboard, a screen reader, forced colours, zoom, and long names
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPhone } from '../phone/phone-window.js';
import { expectAccessible } from '../support/browser.js';
import {
  account,
  begin,
  heading,
  openDesk,
  press,
  registerOn,
  START,
  service,
  shownOn,
  startDeskService,
} from './setting.js';

startDeskService();

/** 200 characters without a space, partly from right to left. */
const LONG = 'Maximilianeمحمدعبدالرحمن'.repeat(9).slice(0, 200);

const focused = (page: Page) =>
  page.evaluate(
    `(document.activeElement.labels?.[0] ?? document.activeElement).innerText`,
  ) as Promise<string>;

/** The names of what Tab reaches from here, in order. */
async function tabs(page: Page, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let at = 0; at < count; at++) {
    await page.keyboard.press('Tab');
    names.push((await focused(page)).split('\n')[0] as string);
  }
  return names;
}

describe('a desk', () => {
  it('has its focus on each new title or first field, and Tab goes on in the order of the eye', async () => {
    const { page, close } = await openDesk();
    await heading(page, START);
    expect(await focused(page)).toBe(START);
    expect(await tabs(page, 2)).toEqual(['Register', 'Sign in']);
    await press(page, /^Register/);
    expect(await focused(page)).toBe('First and last name');
    expect(await tabs(page, 3)).toEqual(['E-mail or phone number', 'Back', 'Continue']);
    await press(page, 'Back');
    await heading(page, START);
    expect(await focused(page)).toBe(START);
    await begin(page);
    expect(await focused(page)).toBe('Scan with your phone');
    expect(await tabs(page, 2)).toEqual(['Open in this browser', 'Cancel']);
    await close();
  });

  it('has room for names of 200 characters without spaces, at 200 % zoom and with forced colours', async () => {
    const body = { name: LONG };
    const { page, close } = await openDesk({ forcedColors: 'active' });
    await heading(page, START);
    expect((await service.call('PUT', '/api/console/profile', { as: account.token, body })).status).toBe(200);
    await page.reload();
    await page.getByRole('heading', { name: /Maximiliane/ }).waitFor();
    const inEverySize = async () => {
      // A tablet of 1024 × 768 at 100 % and at 200 %, and a phone.
      for (const viewport of [
        { width: 1024, height: 768 },
        { width: 512, height: 384 },
        { width: 320, height: 640 },
      ]) {
        await page.setViewportSize(viewport);
        await expectAccessible(page);
      }
    };
    await inEverySize();
    await begin(page, LONG);
    await inEverySize();
    const phone = await openPhone(service);
    await registerOn(phone, (await shownOn(page)).code);
    await page.getByRole('heading', { name: /You are registered, Maximiliane/ }).waitFor();
    await inEverySize();
    await phone.page.getByRole('heading', { name: 'Registered' }).waitFor();
    await phone.page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(phone.page);
    await phone.close();
    await close();
  });
});
