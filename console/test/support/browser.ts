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

/** `npm test` sets CHROMIUM_PATH to the binary that it found or installed. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/**
 * Otherwise each window loads two pages of Chromium's address bar, which is a third of the time that it takes to open. Chromium reads only
 * the last list, so this one repeats what Playwright disables.
 */
const DISABLED = [
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
  'PaintHolding,ThirdPartyStoragePartitioning,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,AvoidCorsURLLoaderRestartOnRedirect,LensOverlay,MediaRouter,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
];

/** Switches that disable Chromium's own network requests. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED.join()}`,
];

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a worker. Each test has its own windows. */
function browser(more: readonly string[] = []): Promise<Browser> {
  const launch = () => chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...more] });
  if (more.length > 0) return launch();
  shared ??= launch();
  return shared;
}

export interface WindowOptions extends BrowserContextOptions {
  /** Additional switches for Chromium, which starts a separate browser. */
  readonly switches?: readonly string[];
}

/** What no page may do: requests to other hosts, errors in the console, violations of the Content-Security-Policy. */
export interface Problems {
  readonly foreignRequests: string[];
  readonly consoleErrors: string[];
  readonly policyViolations: string[];
}

export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: Problems;
  close(): Promise<void>;
}

/** Opens a window that shares no cookie, storage or cache with other windows. */
export async function openWindow(
  baseURL: string,
  { switches = [], ...options }: WindowOptions = {},
): Promise<Window> {
  const opened = await browser(switches);
  const context = await opened.newContext({ baseURL, reducedMotion: 'reduce', locale: 'en-GB', ...options });
  const problems: Problems = { foreignRequests: [], consoleErrors: [], policyViolations: [] };
  await watch(context, new URL(baseURL).origin, problems);
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    if (switches.length > 0) await opened.close();
  };
  return { context, page, problems, close };
}

async function watch(context: BrowserContext, origin: string, problems: Problems): Promise<void> {
  await context.exposeFunction(
    'reportViolation',
    (text: string) => void problems.policyViolations.push(text),
  );
  // Only pages that a test opens load their code, because loading the others ahead when the browser is idle has no fixed time.
  await context.addInitScript('window.requestIdleCallback = () => 0');
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`);
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.origin !== origin)
      problems.foreignRequests.push(request.url());
  });
  context.on('console', (message) => {
    if (message.type() === 'error')
      problems.consoleErrors.push(`${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => problems.consoleErrors.push(String(error.error())));
}

/**
 * Expects no request to another host, no console error and no policy violation. `expected` matches console errors that the test
 * causes, because the browser logs every error response.
 */
export function expectClean({ problems }: Window, expected = /^$/): void {
  expect({
    ...problems,
    consoleErrors: problems.consoleErrors.filter((text) => !expected.test(text)),
  }).toEqual({ foreignRequests: [], consoleErrors: [], policyViolations: [] });
}

let axe: Promise<string> | undefined;

/** Expects no axe violation of any impact, no horizontal scrolling, and no sentence split by its layout. */
export async function expectAccessible(page: Page): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await axe);
  const found = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')))`,
  )) as string[];
  expect(found, found.join('\n')).toEqual([]);
  const tooWide = await page.evaluate(`(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')].filter((at) => at.scrollWidth > at.clientWidth);
    if (dialogs.length > 0) return dialogs.map((at) => 'the dialog: ' + at.innerText.slice(0, 120));
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const beyond = [...document.querySelectorAll('body *')].filter((at) => at.getBoundingClientRect().right > clientWidth + 0.5);
    return ['the page, by ' + (scrollWidth - clientWidth), ...beyond.map((at) => at.outerHTML.slice(0, 120))];
  })()`);
  expect(tooWide, 'elements that cause horizontal scrolling').toEqual([]);
  expect(
    await page.evaluate(SPLIT_SENTENCES),
    'sentences whose words are laid out as separate items',
  ).toEqual([]);
}

/** In a grid or flex box, each bold word, code or link in a sentence becomes a separate item on its own line. */
const SPLIT_SENTENCES = `[...document.querySelectorAll('body *')]
  .filter((at) => /grid|flex/.test(getComputedStyle(at).display))
  .filter((at) => [...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''))
  .filter((at) => [...at.children].some((child) => child.matches('a, b, bdi, code, em, s, small, span:not([aria-hidden], [class]), strong, time')))
  .map((at) => at.outerHTML.slice(0, 200))`;

type Look = readonly [colorScheme: 'light' | 'dark', width: number];
/** Light and wide, or dark and narrow. These two cover each scheme and each width. */
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
/** Set by vitest.config.mjs: the quick suite and `--changed` use one look, `--all` two, `--long` every one. */
const LOOKS = LOOKS_BY_NAME[process.env.PAGES_LOOKS ?? 'two'] ?? EVERY;

export const inEveryLook = (page: Page, check: (look: string) => Promise<void>) =>
  inLooks(page, LOOKS, check);

/** Checks accessibility in every configured look and takes screenshots with this name. */
export const expectAccessibleInEveryLook = (page: Page, name: string) =>
  inEveryLook(page, async (look) => {
    await expectAccessible(page);
    await picture(page, `${name}-${look}`);
  });

/** Runs the check in one or both of the two looks, for pages that share a template. */
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

const MAX_SCREENSHOT_HEIGHT = 1_800;

/** Takes a screenshot if `PAGES_PICTURES` names a folder. Long pages are cut off. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PAGES_PICTURES;
  if (!folder) return;
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const clip = {
    x: 0,
    y: 0,
    width: page.viewportSize()?.width ?? 0,
    height: Math.min(height, MAX_SCREENSHOT_HEIGHT),
  };
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, clip });
}
