// Checks contract/openapi.json with the tools that integrators use: two linters, a bundler, and three code generators, whose
// clients then call a server. Our own rules for the document are in server/src/http/openapi/openapi.test.ts.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle, createConfig, lintFromString } from '@redocly/openapi-core';
import { root, sameTree, setUp } from '../setup.mjs';
import { freePort } from '../testing/test-databases.mjs';

const file = 'contract/openapi.json';
const tools = join(root, 'scripts', 'openapi-tools');
const made = join(tools, '.build');
const CLIENTS = ['openapi-typescript', 'hey-api', 'orval'];
const source = readFileSync(join(root, file), 'utf8');

install();
rmSync(made, { recursive: true, force: true });
mkdirSync(join(made, 'generated'), { recursive: true });
const problems = [
  ...(await lint()),
  ...(await bundled()),
  ...(await Promise.all([spectral(), clients()])).flat(),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The tools have their own folder and lockfile, because they need TypeScript 5 and only this check uses them. */
function install() {
  const record = join(tools, 'node_modules', '.package-lock.json');
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'));
  if (existsSync(record) && sameTree(read(join(tools, 'package-lock.json')), read(record))) return;
  const windows = process.platform === 'win32'; // there npm is a shell script
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: tools,
    shell: windows,
    stdio: 'pipe',
  });
}

/** Runs a tool of that folder in it. Returns its output if it fails. */
async function run(/** @type {string} */ tool, /** @type {string[]} */ ...args) {
  try {
    const script = join(tools, 'node_modules', tool);
    await promisify(execFile)(process.execPath, [script, ...args], { cwd: tools, maxBuffer: 2 ** 24 });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    return [`${tool} ${args.join(' ')}\n${stdout}${stderr}`];
  }
}

async function lint() {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The ids of attendance events are UUIDs, and `months`, `marks` and `corrections` are none.
      'no-ambiguous-paths': 'off',
      'no-invalid-media-type-examples': 'error',
      'no-unused-components': 'error',
      'no-example-value-and-externalValue': 'error',
      'component-name-unique': 'error',
      'operation-singular-tag': 'error',
      'path-not-include-query': 'error',
      'spec-components-invalid-map-name': 'error',
      'spec-strict-refs': 'error',
      // /docs/ is served as well as /docs, because both are paths of the contract.
      'no-path-trailing-slash': 'off',
    },
  });
  return (await lintFromString({ source, absoluteRef: join(root, file), config })).map(describe);
}

/** The same as `redocly bundle`. Code generated from the bundle must equal the code generated from the document. */
async function bundled() {
  const result = await bundle({ ref: join(root, file), config: await createConfig({}) });
  writeFileSync(join(made, 'bundled.json'), JSON.stringify(result.bundle.parsed));
  const generate = (/** @type {string} */ from, /** @type {string} */ to) =>
    run('openapi-typescript/bin/cli.js', from, '-o', to);
  const own = join(made, 'generated', 'openapi-typescript.ts');
  const other = join(made, 'bundled.ts');
  const failed = [
    ...(await generate(join(root, file), own)),
    ...(await generate(join(made, 'bundled.json'), other)),
  ];
  const isSame = failed.length > 0 || readFileSync(own, 'utf8') === readFileSync(other, 'utf8');
  return [
    ...result.problems.map(describe),
    ...failed,
    ...(isSame ? [] : ['The bundle describes another API.']),
  ];
}

/** @param {{ ruleId: string, message: string, location: { pointer?: string }[] }} problem */
function describe({ ruleId, message, location }) {
  return `${file}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`;
}

/** Spectral, with warnings as errors. */
function spectral() {
  return run(
    '@stoplight/spectral-cli/dist/index.js',
    ...['lint', join(root, file), '--ruleset', 'spectral.yaml', '--fail-severity', 'warn', '--quiet'],
  );
}

/** Generates the clients, compiles them in strict mode with programs that use them, and runs these against a server. */
async function clients() {
  const generated = await Promise.all([
    run('@hey-api/openapi-ts/bin/run.js', '-f', 'hey-api.config.mjs'),
    run('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'),
  ]);
  if (generated.flat().length > 0) return generated.flat();
  const compiled = await Promise.all([
    run('typescript/bin/tsc', '-p', 'tsconfig.json'),
    run('typescript/bin/tsc', '-p', 'tsconfig.hey-api.json'),
  ]);
  return compiled.flat().length > 0 ? compiled.flat() : withServer(useClients);
}

async function useClients(/** @type {string} */ baseUrl, /** @type {string} */ key) {
  /** @type {string[]} */
  const failed = [];
  for (const name of CLIENTS) {
    const program = await import(pathToFileURL(join(made, 'js', 'programs', `${name}.js`)).href);
    await program
      .run(baseUrl, key)
      .catch((/** @type {Error} */ error) => failed.push(`${name}: ${error.stack}`));
  }
  return failed;
}

/** Calls `use` with a server on an empty embedded database and the key of a new account. */
async function withServer(/** @type {(baseUrl: string, key: string) => Promise<string[]>} */ use) {
  await setUp();
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: port, LOG_LEVEL: 'warn' };
  const server = spawn(process.execPath, [join(root, 'server/dist/bin/serve.js')], { env, stdio: 'pipe' });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    while (!(await fetch(`${baseUrl}/api/health/ready`).catch(() => ({ ok: false }))).ok) {
      if (server.exitCode !== null) return [`The server ended:\n${output}`];
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const account = {
      email: 'dev@example.com',
      password: 'a quite unusual sentence 42',
      companyName: 'Example',
    };
    const reply = await fetch(`${baseUrl}/api/console/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });
    return await use(baseUrl, (await reply.json()).apiKey.key);
  } finally {
    if (server.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
