// Renders the landing page into its HTML, so that it can be read without JavaScript and before it has loaded.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import { build } from 'vite';
import { besideConfig } from './beside.mjs';
import { tabsHtml } from './docs/frames.mjs';
import { highlight } from './docs/highlight.mjs';
import { readApi } from './docs/reference.mjs';
import { sampleChain } from './landing/chain.mjs';
import { PLACE } from './light/html.mjs';
import { withTypefaces } from './preload.mjs';
import { translate } from './samples/samples.mjs';

const { escapeHtml } = new MarkdownIt().utils;

/** What a backend does with a proof that it has received from a phone. */
const VERIFY = `curl -s "$BASE_URL/v1/identity/verify" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d @proof.json
`;

export async function renderLanding(/** @type {string} */ workspace, /** @type {string} */ dist) {
  const entry = join(workspace, 'src', 'landing', 'prerender.tsx');
  const folder = join(workspace, 'node_modules', '.landing');
  await build({
    configFile: besideConfig(workspace),
    logLevel: 'warn',
    build: {
      ssr: entry,
      // Pictures and styles of what runs in no browser, so that only this build knows them.
      ssrEmitAssets: true,
      assetsInlineLimit: 0,
      cssMinify: true,
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
    const { operations } = await readApi(dirname(workspace));
    const html = prerender({
      request: requestHtml(operations),
      answer: answerHtml(operations),
      entries: sampleChain(),
    });
    const styles = addAssets(join(folder, 'assets'), join(dist, 'assets'));
    writeFileSync(
      file,
      page.replace('</head>', () => `${styles}</head>`).replace(PLACE, () => `<div id="root">${html}</div>`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies pictures and styles. Returns the links of the styles. */
function addAssets(/** @type {string} */ from, /** @type {string} */ to) {
  const names = readdirSync(from).filter((name) => /\.(webp|css)$/.test(name));
  for (const name of names) cpSync(join(from, name), join(to, name));
  return names
    .filter((name) => name.endsWith('.css'))
    .map((name) => `<link rel="stylesheet" crossorigin href="/assets/${name}">\n  `)
    .join('');
}

/** @typedef {import('./samples/operation.mjs').Operation} Operation */

/** The request that verifies a proof, in every language. */
function requestHtml(/** @type {Operation[]} */ operations) {
  const translations = translate(VERIFY, operations);
  if (translations === undefined) throw new Error('The sample of the landing page could not be read.');
  return tabsHtml(translations, 'verify', ({ name, highlight: language, code }, attributes) => {
    const html = highlight(code, language) ?? escapeHtml(code);
    return `<div class="sample"${attributes}><div class="code" role="group" aria-label="${name}" tabindex="0"><pre><code>${html}</code></pre></div></div>`;
  });
}

/** What the contract shows as the answer to it. */
function answerHtml(/** @type {any[]} */ operations) {
  const { responses } = operations.find(({ operationId }) => operationId === 'verifyIdentity');
  const json = JSON.stringify(responses[200].content['application/json'].example, undefined, 2);
  return `<div class="answer"><h3>Response <span class="ok">200 OK</span></h3><pre><code>${highlight(json, 'json') ?? escapeHtml(json)}</code></pre></div>`;
}
