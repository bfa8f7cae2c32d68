// Prints docs/whitepaper.html to server/assets/whitepaper.pdf with Chromium. Needs the fonts Liberation, Arial or Helvetica.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';
import { ensureChromium } from '../testing/chromium.mjs';

const options = [
  '--headless',
  '--no-sandbox', // With a sandbox, Chromium does not run as root. The page is our own.
  '--disable-gpu',
  '--font-render-hinting=none',
  '--no-pdf-header-footer',
  '--generate-pdf-document-outline',
  `--print-to-pdf=${join(root, 'server/assets/whitepaper.pdf')}`,
];
execFileSync(ensureChromium(), [...options, pathToFileURL(join(root, 'docs/whitepaper.html')).href], {
  stdio: 'pipe', // Chromium's warnings appear only if it fails.
});
