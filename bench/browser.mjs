// Proving in a web worker of headless Chromium, with the prover bundled as in an application. Needs a build and `chromium` (or
// BENCH_CHROMIUM). Without a browser it prints that nothing was measured.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { artifactFiles, artifactsFolder, loadPinnedKey } from '../zk/dist/setup/artifacts.js';
import { createVerifier } from '../zk/dist/verifier/create-verifier.js';
import { parseProof } from '../zk/dist/verifier/proof.js';

const ROUNDS = 15;
const chromium = process.env.BENCH_CHROMIUM ?? 'chromium';
if (spawnSync(chromium, ['--version']).status !== 0) {
  console.log('No Chromium: proving in a browser was not measured.');
  process.exit(0);
}
const read = (role) => readFileSync(artifactsFolder + artifactFiles[role]);
const { inputs } = JSON.parse(
  readFileSync(new URL('../zk/test-vectors.json', import.meta.url), 'utf8'),
).proof;

const WORKER = `
import { createProver } from '${fileURLToPath(new URL('../zk/dist/prover/prover.js', import.meta.url))}';
const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const started = performance.now();
const prover = await createProver({ wasm: await bytes('/wasm'), zkey: await bytes('/zkey') });
const inputs = ${JSON.stringify(inputs)};
const secrets = Object.fromEntries(['biometricSecret', 'salt', 'didHash'].map((name) => [name, BigInt(inputs[name])]));
const first = await prover.prove(secrets);
const cold = performance.now() - started;
const times = [];
for (let round = 0; round < ${ROUNDS}; round++) {
  const at = performance.now();
  await prover.prove(secrets);
  times.push(performance.now() - at);
}
await fetch('/done', { method: 'POST', body: JSON.stringify({ cold, times, first, agent: navigator.userAgent }) });
`;
const bundle = await build({
  stdin: { contents: WORKER, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
  bundle: true,
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
  '/worker.js': ['text/javascript', bundle.outputFiles[0].text],
  '/wasm': ['application/wasm', read('wasm')],
  '/zkey': ['application/octet-stream', read('zkey')],
};
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
  const { cold, times, first, agent } = await result;
  const parsed = parseProof(first.proof, first.publicSignals);
  const verifier = await createVerifier(loadPinnedKey().vkey);
  if (!parsed.ok || !verifier.verify(parsed.parsed)) throw new Error('The browser’s proof does not verify.');
  times.sort((left, right) => left - right);
  const median = times[times.length >> 1];
  console.log(`A web worker in ${/Chrom\w+\/[\d.]+/.exec(agent)?.[0]}, headless`);
  console.table([
    { what: 'prove, warm, ms', ours: median.toFixed(0), promised: '500', ratio: (500 / median).toFixed(2) },
    { what: 'first proof, loading included, ms', ours: cold.toFixed(0), promised: '', ratio: '' },
  ]);
} finally {
  const gone = new Promise((resolve) => browser.once('exit', resolve));
  browser.kill();
  await gone;
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
