// Renders the landing page into its HTML, so that it can be read without JavaScript and before it has loaded.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import { build } from 'vite';
import { besideConfig } from './beside.mjs';
import { tabsHtml } from './docs/frames.mjs';
import { highlight } from './docs/highlight.mjs';
import { readApi } from './docs/reference.mjs';
import { sampleChain } from './landing/chain.mjs';
import { withTypefaces } from './preload.mjs';
import { translate } from './samples/samples.mjs';

const { escapeHtml } = new MarkdownIt().utils;

/** What a backend does with a proof that it has received from a phone. */
const VERIFY = `curl -s "$BASE_URL/v1/identity/verify" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d @proof.json
`;

const PLACE = '<div id="root"></div>';

export async function renderLanding(/** @type {string} */ workspace, /** @type {string} */ dist) {
  const entry = join(workspace, 'src', 'landing', 'prerender.tsx');
  const folder = join(workspace, 'node_modules', '.landing');
  await build({
    configFile: besideConfig(workspace),
    logLevel: 'warn',
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { input: entry },
    },
  });
  try {
    const { prerender } = await import(pathToFileURL(join(folder, 'prerender.js')).href);
    const file = join(dist, 'index.html');
    const page = withTypefaces(readFileSync(file, 'utf8'), dist, ['geist']);
    if (!page.includes(PLACE)) throw new Error(`${file} has no place for the page.`);
    const html = prerender(await samples(dirname(workspace)), sampleChain());
    writeFileSync(
      file,
      page.replace(PLACE, () => `<div id="root">${html}</div>`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The request that verifies a proof, in every language. */
async function samples(/** @type {string} */ root) {
  const { operations } = await readApi(root);
  const translations = translate(VERIFY, operations);
  if (translations === undefined) throw new Error('The sample of the landing page could not be read.');
  return tabsHtml(translations, 'verify', ({ name, highlight: language, code }, attributes) => {
    const html = highlight(code, language) ?? escapeHtml(code);
    return `<div class="sample"${attributes}><div class="code" role="group" aria-label="${name}" tabindex="0"><pre><code>${html}</code></pre></div></div>`;
  });
}
