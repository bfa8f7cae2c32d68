// @module-tag if-touched @pages console/scripts/ console/src/landing/ console/index.html: pages without a sign-in
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_LIMITS, PLANS } from '../../server/src/model/plans.js';
import { proveFor, registerPerson } from '../../server/test/support/phone.js';
import { expectAccessibleInEveryLook, expectClean, openWindow, picture } from './support/browser.js';
import { type PagesService, pagesService } from './support/service.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

const run = promisify(execFile);

const scrollToProof = (page: Page) =>
  page
    .getByRole('button', { name: 'Create a proof' })
    .evaluate((button) => button.scrollIntoView({ block: 'center' }));

/** Preact has taken over the part that makes a proof. */
const IS_WORKING = `Object.keys(document.querySelector('[data-works=demo]')).some((key) => key.startsWith('__'))`;

/** Of each picture, once it is loaded. */
const PICTURES = `Promise.all([...document.querySelectorAll('main img')].map(async (image) => {
  await image.decode();
  const { alt, currentSrc, naturalWidth, naturalHeight, width, height } = image;
  const stretched = Math.abs(naturalWidth / naturalHeight - width / height) > 0.01;
  return { alt: alt !== '', scheme: /light|dark/.exec(currentSrc)?.[0], stretched };
}))`;

const kindsOf = (body: object) => Object.entries(body).map(([name, value]) => [name, typeof value]);

describe('the landing page', () => {
  it('shows the limits of each plan', async () => {
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
    expectClean(window);
    await window.close();
  });

  it('shows pictures whose size is known before they are loaded, in both schemes', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/');
      const pictures = await page.evaluate(PICTURES);
      expect(pictures).toEqual(Array(3).fill({ alt: true, scheme: colorScheme, stretched: false }));
    }
    await window.close();
  });

  it('makes and checks a proof by itself once it is in view, rejects it with one digit changed, and sends nothing [console/proof-of-the-landing-page]', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.goto('/');
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() !== 'GET' && sent.push(request.url())));
    const kernels: string[] = [];
    page.context().on('response', (reply) => {
      if (reply.url().includes('/phone/assets/')) kernels.push(reply.url());
    });
    expect(page.workers()).toEqual([]);
    await scrollToProof(page);
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByText(/proved in \d+\.\d seconds/).waitFor();
    expect(kernels).toEqual([expect.stringMatching(/\/(fma|scalar)-[\w-]+\.js$/)]);
    await expect(page.locator('dd', { hasText: /^[\d.]+ ms$/ }).count()).resolves.toBe(2);
    await page.getByText(/^\d{3} bytes$/).waitFor();
    await expectAccessibleInEveryLook(page, 'landing-proof');
    await page.getByRole('button', { name: 'Change one digit and check again' }).click();
    await page.getByText('Rejected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Prove again' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    expect(sent).toEqual([]);
    expectClean(window);
    await window.close();
  });

  it('waits for a click if the reader saves data [console/proof-of-the-landing-page]', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
    await page.goto('/');
    await scrollToProof(page);
    await expect.poll(() => page.evaluate(IS_WORKING)).toBe(true);
    expect(page.workers()).toEqual([]);
    await page.getByRole('button', { name: 'Create a proof' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('says what stopped the proof, and makes it at the next try', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    const again = page.getByRole('button', { name: 'Try again' });
    await page.route(/demo\.worker/, (route) => route.abort(), { times: 1 });
    await page.goto('/');
    await scrollToProof(page);
    await page.getByRole('alert').getByText('The prover did not start').waitFor();
    await page.context().route('**/zk/**', (route) => route.abort());
    await again.click();
    await page.getByRole('alert').getByText('The service did not respond').waitFor();
    await page.context().unroute('**/zk/**');
    await page.context().route('**/phone/assets/**', (route) => route.abort());
    await again.click();
    await page.getByRole('alert').getByText('Go online, reload the page and try again').waitFor();
    await expectAccessibleInEveryLook(page, 'landing-failed');
    await page.context().unroute('**/phone/assets/**');
    await again.click();
    await page.getByText('Verified', { exact: true }).waitFor();
    expectClean(window, /net::ERR_FAILED/);
    await window.close();
  });

  it('says that the proof needs WebAssembly where there is none', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    await page.addInitScript('delete globalThis.WebAssembly');
    await page.goto('/');
    await scrollToProof(page);
    await page.getByRole('alert').getByText('WebAssembly').waitFor();
    await page.getByText('No proof was made').waitFor();
    expectClean(window);
    await window.close();
  });

  it('shows the answer that its request gets', async () => {
    const window = await openWindow(service.origin, { javaScriptEnabled: false });
    await window.page.goto('/');
    const request = String(await window.page.locator('.sample[data-language=curl]').textContent());
    const shown = JSON.parse(String(await window.page.locator('.answer pre').textContent()));
    const account = await service.signUp();
    const person = await registerPerson(service, account.key);
    const folder = await mkdtemp(join(tmpdir(), 'svc-landing-'));
    const proof = await proveFor(service, person, { tenantId: account.tenantId });
    await writeFile(join(folder, 'proof.json'), JSON.stringify(proof));
    const env = { ...process.env, BASE_URL: service.origin, KEY: account.key };
    const { stdout } = await run('sh', ['-c', request], { cwd: folder, env });
    const got = JSON.parse(stdout);
    expect(kindsOf(got)).toEqual(kindsOf(shown));
    expect(got).toMatchObject({ tokenType: shown.tokenType, did: person.did });
    await rm(folder, { recursive: true });
    await window.close();
  });

  it('can be read without JavaScript', async () => {
    const window = await openWindow(service.origin, { javaScriptEnabled: false });
    const { page } = window;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Know who it is. Learn nothing else.' }).waitFor();
    await page.getByRole('link', { name: 'Start free' }).first().waitFor();
    await page.getByRole('img', { name: /^The dashboard/ }).waitFor();
    await page.getByRole('heading', { name: 'Reception' }).waitFor();
    await page.getByText('needs JavaScript for it').waitFor();
    expect(await page.getByRole('button', { name: 'Create a proof' }).isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Enterprise' }).waitFor();
    await page.getByRole('radio', { name: 'TypeScript' }).check();
    await page.getByText('svc.identity.verify(body)').waitFor();
    await page.getByText('200 OK').waitFor();
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

  it('sends a form that was submitted before its script had come, and keeps what was typed out of the address', async () => {
    const window = await openWindow(service.origin);
    const { page } = window;
    let click = () => {};
    const isClicked = new Promise<void>((resolve) => {
      click = resolve;
    });
    await page.route(/\/working[^/]*\.js/, async (route) => {
      await isClicked;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    const paper = page.locator('#whitepaper');
    await paper.getByLabel('E-mail').fill('ada@example.com');
    await paper.getByRole('button', { name: 'Get the whitepaper' }).click();
    click();
    await paper.getByRole('link', { name: 'Open the PDF' }).waitFor();
    expect(page.url()).not.toContain('ada');
    expectClean(window);
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
