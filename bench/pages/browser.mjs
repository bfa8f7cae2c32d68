// Proving and verifying in a web worker of headless Chromium, with both bundled as in an application. Needs a build and Chromium
// (CHROMIUM_PATH, or an installed one). Without a browser it prints that nothing was measured.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { findChromium } from '../../scripts/testing/chromium.mjs';
import { artifactFiles, artifactsFolder, loadPinnedKey } from '../../zk/dist/setup/artifacts.js';
import { createVerifier } from '../../zk/dist/verifier/create-verifier.js';
import { parseProof } from '../../zk/dist/verifier/proof.js';

const ROUNDS = 15;
const chromium = findChromium();
if (chromium === undefined) {
  console.log('No Chromium: proving in a browser was not measured.');
  process.exit(0);
}
const read = (role) => readFileSync(artifactsFolder + artifactFiles[role]);
const { inputs } = JSON.parse(
  readFileSync(new URL('../../zk/test-vectors.json', import.meta.url), 'utf8'),
).proof;

const source = (name) => JSON.stringify(fileURLToPath(new URL(`../../zk/dist/${name}.js`, import.meta.url)));
const WORKER = `
import { createProver } from ${source('prover/prover')};
import { createVerifier } from ${source('verifier/create-verifier')};
import { parseProof } from ${source('verifier/proof')};
import { parseVerificationKey } from ${source('verifier/verification-key')};
const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const started = performance.now();
const prover = await createProver({ wasm: await bytes('/wasm'), zkey: await bytes('/zkey') });
const created = performance.now() - started;
const inputs = ${JSON.stringify(inputs)};
const secrets = Object.fromEntries(['biometricSecret', 'salt', 'didHash'].map((name) => [name, BigInt(inputs[name])]));
const first = await prover.prove(secrets);
const cold = performance.now() - started;
const timesOf = async (action) => {
  const times = [];
  for (let round = 0; round < ${ROUNDS}; round++) {
    const at = performance.now();
    if ((await action()) === false) throw new Error('A valid proof was rejected.');
    times.push(performance.now() - at);
  }
  return times.sort((left, right) => left - right)[times.length >> 1];
};
const proving = await timesOf(() => prover.prove(secrets));
await fetch('/proved');

const vkey = parseVerificationKey(await (await fetch('/vkey')).text());
const { parsed } = parseProof(first.proof, first.publicSignals);
const verifying = [];
for (const forced of [undefined, 'mcl']) {
  const at = performance.now();
  const verifier = await createVerifier(vkey, forced);
  const created = performance.now() - at;
  verifying.push({ kernel: verifier.kernel, created, warm: await timesOf(() => verifier.verify(parsed)) });
}
await fetch('/done', { method: 'POST', body: JSON.stringify({ created, cold, proving, verifying, first, agent: navigator.userAgent }) });
`;
const bundle = await build({
  stdin: {
    contents: WORKER,
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    sourcefile: 'worker.js',
  },
  bundle: true,
  splitting: true,
  minify: true,
  outdir: '/',
  entryNames: 'worker',
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'browser',
  write: false,
  logLevel: 'error',
});
const pages = {
  '/': [
    'text/html',
    '<!doctype html><script type="module">new Worker("/worker.js", { type: "module" })</script>',
  ],
  ...Object.fromEntries(
    bundle.outputFiles.map(({ path, contents }) => [`/${basename(path)}`, ['text/javascript', contents]]),
  ),
  '/wasm': ['application/wasm', read('wasm')],
  '/zkey': ['application/octet-stream', read('zkey')],
  '/vkey': ['application/json', read('vkey')],
};
/** What the browser downloaded up to its first proofs. */
const scripts = new Map();
let hasProved = false;
let done;
const result = new Promise((resolve, reject) => {
  done = resolve;
  setTimeout(() => reject(new Error('The browser did not prove within a minute.')), 60_000).unref();
});
const server = createServer((request, reply) => {
  if (request.method === 'POST') {
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => done(JSON.parse(body)));
    return void reply.end();
  }
  const [type, content] = pages[request.url] ?? ['text/plain', ''];
  if (request.url === '/proved') hasProved = true;
  if (type === 'text/javascript' && !hasProved) scripts.set(request.url.slice(1), content);
  reply.setHeader('content-type', type).end(content);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const profile = mkdtempSync(join(tmpdir(), 'svc-chromium-'));
const browser = spawn(
  chromium,
  [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ],
  { stdio: 'ignore' },
);
try {
  const { created, cold, proving, verifying, first, agent } = await result;
  const parsed = parseProof(first.proof, first.publicSignals);
  const verifier = await createVerifier(loadPinnedKey().vkey);
  if (!parsed.ok || !verifier.verify(parsed.parsed)) throw new Error('The browser’s proof does not verify.');
  const [fastest, mcl] = verifying;
  console.log(`A web worker in ${/Chrom\w+\/[\d.]+/.exec(agent)?.[0]}, headless`);
  const row = (what, ours, than = '', theirs = undefined) => ({
    what: `${what}, ms`,
    ours: ours.toFixed(1),
    than,
    theirs: theirs?.toFixed(1) ?? '',
    ratio: theirs === undefined ? '' : (theirs / ours).toFixed(2),
  });
  console.table([
    row('prove, warm', proving, 'promised', 500),
    row('create the prover, with downloads', created),
    row('first proof, everything included', cold),
    row(`verify: ${fastest.kernel}`, fastest.warm, 'mcl', mcl.warm),
    row(`create the verifier: ${fastest.kernel}`, fastest.created, 'mcl', mcl.created),
  ]);
  const kB = (sizeOf) =>
    Math.round([...scripts.values()].reduce((sum, text) => sum + sizeOf(text), 0) / 1000);
  console.log(
    `Scripts up to the proof: ${[...scripts.keys()].join(', ')}; ${kB(({ length }) => length)} kB, ${kB((text) => gzipSync(text).length)} kB in gzip.`,
  );
} finally {
  const gone = new Promise((resolve) => browser.once('exit', resolve));
  browser.kill();
  await gone;
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
