// Draws the pictures that other programs show of the service: the card of a shared link, and the icons for browsers that take no
// SVG. Run `node console/scripts/pictures.mjs [chromium]` after a change of the brand, and commit what it writes to console/public.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'public');
const require = createRequire(import.meta.url);
const face = pathToFileURL(
  require.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'),
).href;

const MARK = `<svg viewBox="0 0 22 22"><rect width="22" height="22" rx="6" fill="#131715"/>
  <rect x="6" y="6" width="10" height="10" rx="1.5" fill="#fff"/>
  <rect x="11" y="6" width="5" height="5" rx="1.5" fill="#0a6c56"/></svg>`;

const CARD = `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: Geist; src: url("${face}"); font-weight: 100 900 }
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; background: #f7f8f7; color: #131715; font-family: Geist }
  .brand { position: absolute; left: 80px; top: 72px; display: flex; gap: 18px; align-items: center; font-size: 34px; font-weight: 600; letter-spacing: -.01em }
  .brand svg { width: 48px }
  h1 { position: absolute; left: 80px; top: 226px; margin: 0; font-size: 75px; line-height: 1.08; font-weight: 600; letter-spacing: -.045em }
  p { position: absolute; left: 80px; top: 424px; width: 560px; margin: 0; font-size: 31px; line-height: 1.4; color: #47504b }
  .stage { position: absolute; inset: 0 0 0 auto; width: 470px; background: linear-gradient(150deg, #d8efe7, #eef2f0) }
  .phone { position: absolute; left: 76px; top: 92px; width: 318px; height: 620px; border-radius: 52px; background: #fff; box-shadow: 0 30px 70px -20px #13171540, 0 0 0 2px #d3d8d5 }
  .phone svg { position: absolute; left: 69px; top: 130px; width: 180px; fill: none; stroke: #0a6c56; stroke-linecap: round; stroke-linejoin: round }
  .phone b { position: absolute; left: 0; right: 0; top: 352px; text-align: center; font-size: 36px; font-weight: 600; letter-spacing: -.02em }
  .phone i { position: absolute; left: 0; right: 0; top: 404px; text-align: center; font-size: 23px; font-style: normal; color: #5f6964 }
</style>
<div class="stage"><div class="phone">
  <svg viewBox="0 0 120 120"><circle cx="60" cy="60" r="54" stroke-width="5"/><path d="M38 62l15 15 30-31" stroke-width="8"/></svg>
  <b>Verified</b><i>nothing else revealed</i></div></div>
<div class="brand">${MARK}Identity</div>
<h1>Know who it is.<br>Learn nothing else.</h1>
<p>Passwordless identity verification with zero-knowledge proofs</p>`;

const icon = (/** @type {number} */ size, /** @type {string} */ ground) =>
  `<!doctype html><style>body { margin: 0; background: ${ground} } svg { display: block; width: ${size}px }</style>${MARK}`;

/** An .ico file with one PNG, whose width and height are 32. */
function icoOf(/** @type {Buffer} */ png) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([32, 32, 0, 0, 1, 0, 32, 0], 6);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
});
const scratch = mkdtempSync(join(tmpdir(), 'svc-pictures-'));
try {
  const draw = async (
    /** @type {string} */ html,
    /** @type {number} */ width,
    /** @type {number} */ height,
  ) => {
    const page = await browser.newPage({ viewport: { width, height } });
    const file = join(scratch, 'picture.html');
    writeFileSync(file, html);
    await page.goto(pathToFileURL(file).href);
    await page.evaluate('document.fonts.ready');
    const png = await page.screenshot({ omitBackground: true });
    await page.close();
    return png;
  };
  writeFileSync(join(folder, 'card.png'), await draw(CARD, 1200, 630));
  writeFileSync(join(folder, 'icon.png'), await draw(icon(180, '#131715'), 180, 180));
  writeFileSync(join(folder, 'favicon.ico'), icoOf(await draw(icon(32, 'transparent'), 32, 32)));
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true });
}
