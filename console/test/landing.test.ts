// @module-tag if-touched console/ sdk/src/ contract/: pages without a sign-in
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_LIMITS, PLANS } from '../../server/src/model/plans.js';
import { expectAccessibleInEveryLook, expectClean, openWindow, picture } from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the landing page', () => {
  it('creates and verifies a proof in the browser, rejects it with one digit changed, and sends nothing', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    await expectAccessibleInEveryLook(page, 'landing');
    const plans = PLANS.map((plan) => {
      const { monthlyRequests, requestsPer15Min, onChainVerification } = PLAN_LIMITS[plan];
      const name = `${plan[0]?.toUpperCase()}${plan.slice(1)}`;
      const figures = [monthlyRequests ?? 'Unlimited', requestsPer15Min].map((figure) =>
        figure.toLocaleString('en'),
      );
      return [name, ...figures, onChainVerification ? 'included' : 'not included'];
    });
    const shown = await page.locator('section[aria-labelledby=plans] li').all();
    expect(await Promise.all(shown.map((plan) => plan.locator('h3, dd').allInnerTexts()))).toEqual(plans);
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() !== 'GET' && sent.push(request.url())));
    await page.route(/demo\.worker/, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByRole('alert').waitFor();
    await page.context().route('**/zk/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByRole('alert').getByText('Check your connection').waitFor();
    await page.context().unroute('**/zk/**');
    await page.context().route('**/phone/assets/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByRole('alert').getByText('Go online, reload the page and try again').waitFor();
    await page.context().unroute('**/phone/assets/**');
    const kernels: string[] = [];
    page.context().on('response', (reply) => {
      if (reply.url().includes('/phone/assets/')) kernels.push(reply.url());
    });
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    expect(kernels).toEqual([expect.stringMatching(/\/(fma|scalar)-[\w-]+\.js$/)]);
    await expect(page.locator('dd', { hasText: /^[\d.]+ ms$/ }).count()).resolves.toBe(2);
    await page.getByText(/^\d{3} bytes$/).waitFor();
    await expectAccessibleInEveryLook(page, 'landing-proof');
    await page.getByRole('button', { name: 'Change one digit and verify again' }).click();
    await page.getByText('Rejected', { exact: true }).waitFor();
    expect(sent).toEqual([]);
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });

  it('can be read without JavaScript', async () => {
    const window = await openWindow(service.origin, { javaScriptEnabled: false });
    await window.page.goto('/');
    await window.page.getByRole('heading', { name: 'Know who it is. Learn nothing else.' }).waitFor();
    await window.page.getByRole('link', { name: 'Start free' }).first().waitFor();
    await window.page.getByRole('heading', { name: 'Enterprise' }).waitFor();
    await window.page.getByRole('radio', { name: 'TypeScript' }).check();
    await window.page.getByText('svc.identity.verify(body)').waitFor();
    await window.page.getByRole('img', { name: 'A QR code' }).waitFor();
    await window.close();
  });

  it('remembers the language of its sample for the documentation', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    await page.getByRole('radio', { name: 'Go' }).check();
    await page.goto('/docs/users');
    await page.locator('.code:visible', { hasText: 'package main' }).first().waitFor();
    expectClean(window);
    await window.close();
  });

  it('shows an audit chain in which each entry repeats the hash of the one before', async () => {
    const window = await openWindow(service.origin);
    await window.page.goto('/');
    const hashes = await window.page.locator('.chain dd').allInnerTexts();
    expect(hashes).toHaveLength(6);
    const [, first, second, third, fourth] = hashes;
    expect([second, fourth]).toEqual([first, third]);
    expect(new Set(hashes).size).toBe(4);
    await window.close();
  });

  it('links only to pages that exist', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const href of new Set(links)) {
      if (href.startsWith('#')) await expect(page.locator(href).count(), href).resolves.toBe(1);
      else expect((await page.request.get(href)).status(), href).toBe(200);
    }
    await window.close();
  });

  it('submits both forms, shows a validation error, and links the PDF', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    const pilot = page.locator('#pilot');
    await pilot.getByLabel('Name').fill('Ada Lovelace');
    await pilot.getByLabel('Company').fill('<b>Example</b> AG');
    await pilot.getByLabel('E-mail').fill('ada@example');
    await pilot.getByLabel('How many people').fill('50-200');
    await pilot.getByRole('button', { name: 'Send' }).click();
    await pilot.getByRole('alert').waitFor();
    await pilot.getByLabel('E-mail').fill('ada@example.com');
    const requests: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && requests.push(request.url())));
    await pilot.getByRole('button', { name: 'Send' }).dblclick();
    await pilot.getByText('Thank you. We will contact you.').waitFor();
    expect(requests).toHaveLength(1);
    const paper = page.locator('#whitepaper');
    await paper.getByLabel('E-mail').fill('ada@example.com');
    await paper.getByRole('button', { name: 'Get the whitepaper' }).click();
    const href = await paper.getByRole('link', { name: 'Open the PDF' }).getAttribute('href');
    const pdf = await page.request.get(String(href));
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('shows a rate limit, and accepts the form again after it has passed', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    for (let sent = 0; sent < 10; sent++)
      await page.request.post('/api/leads/whitepaper', { data: { email: 'ada@example.com' } });
    const paper = page.locator('#whitepaper');
    await paper.getByLabel('E-mail').fill('ada@example.com');
    await paper.getByRole('button', { name: 'Get the whitepaper' }).click();
    await paper.getByRole('alert').waitFor();
    await picture(page, 'landing-limited');
    await service.clock.advance(61_000);
    await paper.getByRole('button', { name: 'Get the whitepaper' }).click();
    await paper.getByRole('link', { name: 'Open the PDF' }).waitFor();
    expectClean(window, /status of 429/);
    await window.close();
  });

  it('and the other pages call this installation PRODUCT_NAME', async () => {
    const name = 'Tom & <b>Ann</b>';
    const named = await pagesService({ PRODUCT_NAME: name });
    const window = await openWindow(named.origin);
    const { page } = window;
    const brands = page.getByRole('link', { name, exact: true });
    await page.goto('/');
    // Once the script has taken over the page.
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    expect(await brands.count()).toBe(2);
    await page.goto('/docs/pairing');
    expect([await brands.count(), await page.title()]).toEqual([1, `Proof pairing · ${name}`]);
    await page.goto('/no-such-page');
    expect(await brands.count()).toBe(1);
    await page.goto('/dashboard/login');
    await brands.waitFor();
    await page.goto('/phone/');
    await page.getByText(name).waitFor();
    expectClean(window, /status of 404/);
    await window.close();
    await named.close();
  });
});
