import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { CHROMIUM } from './browser.js';
import { encodePng } from './palette-png.js';

const FOLDER = fileURLToPath(new URL('../pictures/', import.meta.url));
const DOCS = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
/** Pictures that the README and the guides also show. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'phone/approve/light-390': 'phone-approve',
  'sign-in/waiting/light-1280': 'sign-in',
};
/** `npm test -- pictures -u` */
const UPDATES = process.env.UPDATE_PICTURES === 'true';

const LOOKS = [
  ['light', 1280, 800],
  ['dark', 1280, 800],
  ['light', 390, 844],
  ['dark', 390, 844],
] as const;

/** The browser that took the pictures. Another version or build, also the headless shell, may draw all text differently. */
const BROWSER_FILE = join(FOLDER, 'chromium.txt');
const browser = () => execFileSync(CHROMIUM, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Why this browser can't be compared with the committed pictures. Undefined if it can, or if the pictures are written. */
export function otherBrowser(): string | undefined {
  if (UPDATES) {
    write(BROWSER_FILE, Buffer.from(`${browser()}\n`));
    return undefined;
  }
  if (process.env.CI)
    return 'Pictures hold for one build of one browser and take minutes, so CI does not compare them.';
  const [taken, here] = [readFileSync(BROWSER_FILE, 'utf8').trim(), browser()];
  if (taken === here) return undefined;
  return `The pictures were taken with ${taken}, this is ${here}: not compared. To see what a change does, write them with -u at the commit before it.`;
}

/** The share of pixels that may differ. */
const TOLERATED = 0.001;
/** How far a color may be from the committed one, which comes from a palette. From 0 to 1. */
const THRESHOLD = 0.15;

let results: string | undefined;
const folderOfResults = () => (results ??= mkdtempSync(join(tmpdir(), 'svc-pictures-')));

/**
 * Compares the page with its committed pictures in both schemes, wide and narrow. Returns what differs, with the folder of the
 * actual, the expected and the marked picture. With `-u` it writes the pictures instead.
 */
export async function differences(page: Page, name: string, settled: () => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width, height] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    const look = `${colorScheme}-${width}`;
    const file = join(FOLDER, name, `${look}.png`);
    if (UPDATES) {
      write(file, encodePng(await screenshot(page)));
      const published = PUBLISHED[`${name}/${look}`];
      if (published)
        write(join(DOCS, `${published}.png`), encodePng(await screenshot(page, { isMasked: false })));
      continue;
    }
    let different = compare(await screenshot(page), file, `${name} ${look}`);
    // On a busy machine, the page may not have drawn everything yet.
    if (different.length > 0) {
      await settled();
      different = compare(await screenshot(page), file, `${name} ${look}`);
    }
    found.push(...different);
  }
  return found;
}

/** The visible part of the page when its fonts and images are loaded. */
async function screenshot(page: Page, { isMasked = true } = {}): Promise<PNG> {
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
  // Codes come from random bytes, and requests that arrive together take them in any order.
  const mask = isMasked ? [page.getByRole('img', { name: /code/i })] : [];
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide', mask, maskColor: '#808080' });
  return PNG.sync.read(taken);
}

function compare(actual: PNG, file: string, name: string): string[] {
  const { width, height } = actual;
  if (!existsSync(file)) return [`${name}: there is no picture yet`];
  const expected = PNG.sync.read(readFileSync(file));
  if (expected.width !== width || expected.height !== height) return [`${name}: another size`];
  const marked = new PNG({ width, height });
  const pixels = pixelmatch(actual.data, expected.data, marked.data, width, height, { threshold: THRESHOLD });
  if (pixels <= TOLERATED * width * height) return [];
  const folder = join(folderOfResults(), name.replaceAll(/[ /]/g, '-'));
  for (const [kind, png] of Object.entries({ actual, expected, diff: marked }))
    write(join(folder, `${kind}.png`), PNG.sync.write(png));
  return [`${name}: ${pixels} pixels differ, see ${folder}`];
}

function write(file: string, content: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
