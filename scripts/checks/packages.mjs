// Packs the published package and checks it as a user would see it: its files and its size, whether its exports and types
// resolve, and whether it works when it is installed alone in an empty folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { packSdk } from '../packaging/pack.mjs';
import { setUp } from '../setup.mjs';

const EXPECTED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY-NOTICES\.md)$/,
  /^(sdk|phone|prover|receipts|time|shared-\w+)\.js$/,
  /^types\/((codecs\/|hosted\/|phone\/(acts\/)?|receipts\/(file\/)?|resources\/(phone\/)?|time\/|transport\/)?[a-z-]+|generated\/(api|errors|event-types|failure-reasons))\.d\.ts$/,
  /^artifacts\/identity_proof\.(wasm|zkey)$/,
];
// 18 of them are the phone, 6 the proofs of records, and 15 working time.
const MAX_KIB = 705;
/** The types that a browser page, a Node server and an edge runtime (like a web worker) have. */
const PLATFORMS = {
  browser: { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] },
  node: { lib: ['lib.es2022.d.ts'], types: ['node'] },
  edge: { lib: ['lib.es2022.d.ts', 'lib.webworker.d.ts', 'lib.webworker.iterable.d.ts'], types: [] },
};
const { CommonJS, Node20, NodeNext } = ts.ModuleKind;
const { Bundler, Node10 } = ts.ModuleResolutionKind;
/** The settings with which a CommonJS file can import the SDK, according to the guide. */
const COMMON_JS = {
  nodenext: { module: NodeNext },
  node20: { module: Node20 },
  'commonjs and bundler': { module: CommonJS, moduleResolution: Bundler },
  'commonjs and node10': { module: CommonJS, moduleResolution: Node10, ignoreDeprecations: '6.0' },
};
const CONSUMER = `
import { isSvcError, Svc, type Device, type SvcErrorCode, type User, type UserCreateParams, type UserPage } from '@svc/sdk';
import { createIdentity, createProver, fetchArtifacts } from '@svc/sdk/prover';
import { verifyReceipt } from '@svc/sdk/receipts';

const svc = new Svc({ baseUrl: 'https://a.test', apiKey: 'svc_test_' + '0'.repeat(48), fetch });
export async function first(signal: AbortSignal): Promise<Device | undefined> {
  for await (const device of svc.devices.list({ status: 'active', limit: 1 }, { signal })) return device;
  return undefined;
}
export async function verify(): Promise<string> {
  const prover = await createProver(await fetchArtifacts(svc));
  const identity = createIdentity();
  const { accessToken } = await svc.identity.verify(await prover.proveVerify(identity, await svc.identity.createNonce()));
  return accessToken;
}
export const isShown = async (file: Uint8Array): Promise<boolean> => (await verifyReceipt(file)).ok;
const ada: UserCreateParams = { fullName: 'Ada Lovelace' };
export const user: Promise<User> = svc.users.create(ada);
export const users = async (): Promise<UserPage> => await svc.users.list({ limit: 1 });
export const same: Promise<UserPage> = svc.request('listUsers', { query: { limit: 1 } });
export const isNewer = (error: unknown) => isSvcError(error, 'a_code_of_a_newer_server');
export const codeOf = (error: unknown): SvcErrorCode | undefined => (isSvcError(error) ? error.code : undefined);
// @ts-expect-error a status that no device has
svc.devices.list({ status: 'lost' });
// @ts-expect-error a device without a name
svc.devices.create({ deviceType: 'kiosk' });
// @ts-expect-error an operation that the contract lacks
svc.request('getNothing', {});
`;
const RUNS = `
import { formatPairingCode, Svc, SvcError } from '@svc/sdk';
import { createIdentity, createProver } from '@svc/sdk/prover';
import { verifyReceipt } from '@svc/sdk/receipts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const file = (kind) => new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve('@svc/sdk/artifacts/identity_proof.' + kind))));
const prover = await createProver({ wasm: file('wasm'), zkey: file('zkey') });
const enrolledAt = { baseUrl: 'https://a.test', tenantId: '019e1b2c-4321-7abc-8def-0123456789ab', environment: 'test' };
const code = formatPairingCode({ ...enrolledAt, sessionId: enrolledAt.tenantId, nonce: '00'.repeat(31), expiresAtSeconds: 1 });
const { proof } = await prover.provePairing(createIdentity(), code, enrolledAt);
const foreign = await prover.provePairing(createIdentity(), code, { ...enrolledAt, environment: 'live' }).catch((error) => error);
// Both entries must have the same class, or errors of the prover could not be caught by it.
console.log(proof.protocol, foreign instanceof SvcError, typeof Svc, (await verifyReceipt('{}')).code);
`;

await setUp();
/** @type {string[]} */
const problems = [];
const folder = mkdtempSync(join(tmpdir(), 'svc-packages-'));
const { tarball, staged, files, size } = await packSdk(join(folder, 'packages'));
for (const { path } of files)
  if (!EXPECTED.some((pattern) => pattern.test(path))) problems.push(`${path} must not be in the package`);
for (const pattern of EXPECTED)
  if (!files.some(({ path }) => pattern.test(path))) problems.push(`the package has no file like ${pattern}`);
if (size > MAX_KIB * 1024) problems.push(`the tarball has ${Math.ceil(size / 1024)} KiB, over ${MAX_KIB}`);

const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'));
const { messages } = await publint({ pkgDir: staged, strict: true, pack: false });
for (const message of messages) problems.push(`publint: ${formatMessage(message, manifest) ?? message.code}`);

try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball]);
  writeFileSync(join(folder, 'runs.mjs'), RUNS);
  const printed = run(process.execPath, ['runs.mjs']).trim();
  if (printed !== 'groth16 true function malformed')
    problems.push(`installed alone it printed ${JSON.stringify(printed)}`);
  for (const file of ['consumer.ts', 'consumer.cts']) writeFileSync(join(folder, file), CONSUMER);
  for (const [platform, known] of Object.entries(PLATFORMS))
    problems.push(...typeErrors(platform, 'consumer.ts', { ...known, module: NodeNext }));
  for (const [name, modules] of Object.entries(COMMON_JS))
    problems.push(...typeErrors(name, 'consumer.cts', { ...PLATFORMS.node, ...modules }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`${manifest.name}: ${files.length} files, ${Math.ceil(size / 1024)} KiB packed.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function run(/** @type {string} */ command, /** @type {string[]} */ args) {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
  });
}

/** Also checks the package's own declarations, so users need not skip them. */
function typeErrors(
  /** @type {string} */ name,
  /** @type {string} */ consumer,
  /** @type {import('typescript').CompilerOptions} */ options,
) {
  const program = ts.createProgram([join(folder, consumer)], {
    ...options,
    typeRoots: [join(process.cwd(), 'node_modules', '@types')],
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `types for ${name}: ${file?.fileName.replace(folder, '') ?? ''}: ${text}`;
  });
}
