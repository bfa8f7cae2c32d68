import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';

/** `npm test` names the one that it found or installed. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Chromium without the talk that it has with its maker. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a worker; each test has windows of its own. */
function browser(more: readonly string[] = []): Promise<Browser> {
  const launch = () => chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...more] });
  if (more.length > 0) return launch();
  shared ??= launch();
  return shared;
}

export interface WindowOptions extends BrowserContextOptions {
  /** Further switches of Chromium, for which it is started anew. */
  readonly switches?: readonly string[];
}

/** What a page did that no page of ours may do. */
export interface Offences {
  readonly foreignRequests: string[];
  readonly consoleErrors: string[];
  readonly policyViolations: string[];
}

export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly offences: Offences;
  close(): Promise<void>;
}

/** A browser window of its own: no cookie, storage or cache is shared with another one. */
export async function openWindow(
  baseURL: string,
  { switches = [], ...options }: WindowOptions = {},
): Promise<Window> {
  const opened = await browser(switches);
  const context = await opened.newContext({ baseURL, reducedMotion: 'reduce', locale: 'en-GB', ...options });
  const offences: Offences = { foreignRequests: [], consoleErrors: [], policyViolations: [] };
  await watch(context, new URL(baseURL).origin, offences);
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    if (switches.length > 0) await opened.close();
  };
  return { context, page, offences, close };
}

async function watch(context: BrowserContext, origin: string, offences: Offences): Promise<void> {
  await context.exposeFunction(
    'reportViolation',
    (text: string) => void offences.policyViolations.push(text),
  );
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`);
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.origin !== origin)
      offences.foreignRequests.push(request.url());
  });
  context.on('console', (message) => {
    if (message.type() === 'error') offences.consoleErrors.push(message.text());
  });
  context.on('weberror', (error) => offences.consoleErrors.push(String(error.error())));
}

/**
 * Nothing was asked of another host, no script failed, and the policy had nothing to stop. A reply that the test asked for
 * may be named: the browser logs every refusal as an error.
 */
export function expectClean({ offences }: Window, expected = /^$/): void {
  expect({
    ...offences,
    consoleErrors: offences.consoleErrors.filter((text) => !expected.test(text)),
  }).toEqual({ foreignRequests: [], consoleErrors: [], policyViolations: [] });
}

let axe: Promise<string> | undefined;

/** No serious or critical finding of axe on the page as it stands, nothing to scroll sideways, and no torn sentence. */
export async function expectAccessible(page: Page): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await axe);
  const found = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')))`,
  )) as string[];
  expect(found).toEqual([]);
  const tooWide = await page.evaluate(`(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')].filter((at) => at.scrollWidth > at.clientWidth);
    if (dialogs.length > 0) return dialogs.map((at) => 'the dialog: ' + at.innerText.slice(0, 120));
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const beyond = [...document.querySelectorAll('body *')].filter((at) => at.getBoundingClientRect().right > clientWidth + 0.5);
    return ['the page, by ' + (scrollWidth - clientWidth), ...beyond.map((at) => at.outerHTML.slice(0, 120))];
  })()`);
  expect(tooWide, 'what has to be scrolled sideways to').toEqual([]);
  expect(await page.evaluate(TORN_SENTENCES), 'sentences whose words are laid out as separate items').toEqual(
    [],
  );
}

/** In a grid or a flex box, each bold word, code or link of a sentence becomes an item of its own, on its own line. */
const TORN_SENTENCES = `[...document.querySelectorAll('body *')]
  .filter((at) => /grid|flex/.test(getComputedStyle(at).display))
  .filter((at) => [...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''))
  .filter((at) => [...at.children].some((child) => child.matches('a, b, bdi, code, em, s, small, span:not([aria-hidden], [class]), strong, time')))
  .map((at) => at.outerHTML.slice(0, 200))`;

type Look = readonly [colorScheme: 'light' | 'dark', width: number];
/** Light and wide, or dark and narrow: in these two each scheme and each width is seen. */
const isOfTwo = ([colorScheme, width]: Look) => (colorScheme === 'dark') === (width === 320);
const EVERY: readonly Look[] = [
  ['light', 1280],
  ['light', 320],
  ['dark', 1280],
  ['dark', 320],
];

const LOOKS_BY_NAME: Record<string, readonly Look[]> = {
  one: EVERY.slice(0, 1),
  two: EVERY.filter(isOfTwo),
  every: EVERY,
};
/** Set by vitest.config.ts: the quick suite uses one look, `--all` two, `--long` every one. */
const LOOKS = LOOKS_BY_NAME[process.env.PAGES_LOOKS ?? 'two'] ?? EVERY;

/** Every look that a page must have. */
export const inEveryLook = (page: Page, check: (look: string) => Promise<void>) =>
  inLooks(page, LOOKS, check);

/** The page as it stands, in every look that it must have; pictured by that name. */
export const expectAccessibleInEveryLook = (page: Page, name: string) =>
  inEveryLook(page, async (look) => {
    await expectAccessible(page);
    await picture(page, `${name}-${look}`);
  });

/** Light and wide, dark and narrow, or each of the two: for pages of which there are many of a kind. */
export const inLooksOf =
  (scheme: 'light' | 'dark' | 'both') => (page: Page, check: (look: string) => Promise<void>) =>
    inLooks(
      page,
      EVERY.filter((look) => isOfTwo(look) && (scheme === 'both' || scheme === look[0])),
      check,
    );

async function inLooks(page: Page, looks: readonly Look[], check: (look: string) => Promise<void>) {
  const before = page.viewportSize();
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await check(`${colorScheme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}

const MOST_PICTURED = 1_800;

/** A picture for people to look at, where `PAGES_PICTURES` names a folder; of a long page how it begins. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PAGES_PICTURES;
  if (!folder) return;
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const clip = {
    x: 0,
    y: 0,
    width: page.viewportSize()?.width ?? 0,
    height: Math.min(height, MOST_PICTURED),
  };
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, clip });
}
