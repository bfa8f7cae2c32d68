// @module-tag if-touched scripts/ sdk/ cli/ package.json server/package.json zk/package.json: packs and installs the SDK
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../setup.mjs';
import { bundleSdk } from './pack.mjs';
import { sbom } from './sbom.mjs';

/** @type {string} */
let folder;
/** @type {import('esbuild').Metafile} */
let metafile;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pack-'));
  metafile = await bundleSdk(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The sources of an entry and of all files that it imports. */
function graphOf(/** @type {string} */ entry) {
  const seen = new Set();
  const inputs = new Set();
  const visit = (/** @type {string} */ name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const output = metafile.outputs[name];
    for (const input of Object.keys(output?.inputs ?? {})) inputs.add(input);
    for (const { path, external } of output?.imports ?? []) {
      expect([path, external ?? false]).toEqual([path, false]);
      visit(path);
    }
  };
  visit(Object.keys(metafile.outputs).find((name) => name.endsWith(`/${entry}.js`)) ?? entry);
  return [...inputs].sort();
}
const packagesOf = (/** @type {string[]} */ inputs) =>
  new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));

describe('the bundle of the SDK', () => {
  test('contains neither the prover nor any other package in the entry for servers', () => {
    const inputs = graphOf('sdk');
    expect(inputs).toContain('sdk/src/transport/transport.ts');
    // Of the package zk only the canonical form of JSON, which has no table and no prover.
    expect(inputs.filter((input) => !input.startsWith('sdk/src/'))).toEqual([
      'zk/src/approvals/canonical-json.ts',
    ]);
    expect(inputs).not.toContain('sdk/src/prover.ts');
  });

  test('contains exactly the packages of the notices in the prover, all under permitted licences', () => {
    const notices = readFileSync(join(root, 'sdk', 'THIRD-PARTY-NOTICES.md'), 'utf8');
    const named = [...notices.matchAll(/^## (\S+) (\S+), (\S+)$/gm)].map(([, ...notice]) => notice.join(' '));
    const bundled = [...packagesOf(graphOf('prover'))].map((name) => {
      const { version, license } = JSON.parse(
        readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
      );
      return `${name} ${version} ${license}`;
    });
    expect(bundled.sort()).toEqual(named.sort());
    for (const line of bundled) expect(line).toMatch(/ (MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/);
  });

  test('imports all of the prover immediately, so a bundler can put a worker into a single file', () => {
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter(({ kind }) => kind !== 'import-statement')).toEqual([]);
    expect(graphOf('prover').filter((input) => input.startsWith('zk/src/kernel/'))).toEqual([]);
  });

  test('imports nothing from Node, and nothing at run time but its own files', () => {
    const hasMcl = (/** @type {string} */ name) =>
      Object.entries(metafile.outputs).some(
        ([path, { inputs }]) => path.endsWith(`/${name}`) && packagesOf(Object.keys(inputs)).has('mcl-wasm'),
      );
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect([name, /(?<![/\w])(?:from|import|require)\s*\(?\s*["'](?!\.\/)/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ]);
      expect([name, /\bprocess\.|\bBuffer\b|__dirname/.test(hasMcl(name) ? '' : text)]).toEqual([
        name,
        false,
      ]);
    }
  });

  test('sends requests, decompresses and proves in one file, with only what browsers and edge runtimes have', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from '@svc/sdk'; export * from '@svc/sdk/prover';", resolveDir: root },
      bundle: true,
      format: 'iife',
      globalName: 'sdk',
      platform: 'browser',
      conditions: ['source'],
      write: false,
    });
    /** @type {Record<string, any>} */
    const globals = Object.fromEntries(
      (
        'AbortController CompressionStream DecompressionStream Headers Response TextDecoder TextEncoder URL URLSearchParams ' +
        'Uint8Array ArrayBuffer atob btoa clearTimeout crypto setTimeout'
      )
        .split(' ')
        .map((name) => [name, /** @type {any} */ (globalThis)[name]]),
    );
    globals.self = globals;
    globals.fetch = async () =>
      Response.json({ devices: [{ id: 'a' }], environment: 'test', nextCursor: null }, { status: 200 });
    createContext(globals);
    runInContext(outputFiles[0]?.text ?? '', globals);
    const { Svc, SvcError, createIdentity, createProver, decodeRawScan, encodeRawScan } = globals.sdk;
    const svc = new Svc({ baseUrl: 'https://a.test', apiKey: `svc_test_${'0'.repeat(48)}` });
    expect((await svc.devices.list().first()).devices).toEqual([{ id: 'a' }]);
    const [{ scan }] = JSON.parse(readFileSync(join(root, 'docs/vectors/raw-scan.json'), 'utf8'));
    expect(await decodeRawScan(await encodeRawScan(scan))).toEqual(scan);
    const file = (/** @type {string} */ kind) =>
      new Uint8Array(readFileSync(join(root, `zk/artifacts/identity_proof.${kind}`)));
    const prover = await createProver({ wasm: file('wasm'), zkey: file('zkey') });
    const challenge = { nonce: crypto.randomUUID(), timestamp: 1, tenantId: 'a', environment: 'test' };
    expect((await prover.proveVerify(createIdentity(), challenge)).proof.protocol).toBe('groth16');
    expect(() => new Svc({ baseUrl: 'a.test' })).toThrow(SvcError);
  });

  test('supports tree shaking: importing one codec includes neither the client nor the other codecs', async () => {
    const shaken = async (/** @type {string} */ contents) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: root },
        bundle: true,
        format: 'esm',
        conditions: ['source'],
        minify: true,
        write: false,
      });
      return outputFiles[0]?.text ?? '';
    };
    const deeplink = await shaken("export { parseDeeplink } from '@svc/sdk';");
    expect(deeplink).toContain('svc://');
    for (const other of ['authorization', 'za:pair:1', 'za:proof', '/v1/devices'])
      expect(deeplink).not.toContain(other);
    const client = await shaken("export { Svc } from '@svc/sdk';");
    expect(client).toContain('authorization');
    for (const other of ['za:pair:1', 'za:proof']) expect(client).not.toContain(other);
    // A third of it are the names of operations and what to do about each error code.
    expect(client.length).toBeLessThan(91_000);
    expect(
      await shaken("import { Svc } from '@svc/sdk'; import { createProver } from '@svc/sdk/prover';"),
    ).toBe('');
  });
});

describe('the bill of materials', () => {
  const bill = sbom();

  const refs = bill.components.map((component) => component['bom-ref']);

  test('is CycloneDX and lists every production package with its version and licence', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const locked = Object.entries(packages).flatMap(([path, { version, dev, link }]) => {
      const name =
        path.split('node_modules/')[1] === undefined ? undefined : path.split('node_modules/').at(-1);
      return name === undefined || dev || link ? [] : [`${name}@${version}`];
    });
    expect(locked.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => !ref.startsWith('@svc/')).sort()).toEqual([...new Set(locked)].sort());
    expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  test('lists nothing under the GPL, refers only to its own entries, and contains no local path', () => {
    for (const { ref, dependsOn = [] } of bill.dependencies)
      for (const named of [ref, ...dependsOn]) expect([...refs, 'svc@0.1.0']).toContain(named);
    const text = JSON.stringify(bill);
    expect(text).not.toMatch(/GPL/);
    expect(text).not.toContain(root);
    expect(bill.metadata.component.name).toBe('svc');
    expect(text).not.toMatch(/"distribution"/);
  });
});

test('the packages and the contract have the same version', () => {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  for (const name of ['sdk', 'server', 'demo-idp', 'zk', 'cli'])
    expect([name, JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')).version]).toEqual([
      name,
      version,
    ]);
  expect(readFileSync(join(root, 'sdk/src/generated/api.ts'), 'utf8')).toContain(
    `CONTRACT_VERSION = '${version}'`,
  );
  expect(readFileSync(join(root, 'sdk/README.md'), 'utf8')).toContain(`svc-sdk-${version}.tgz`);
});

test('`npm run sbom` prints it', () => {
  const printed = execFileSync(process.execPath, [join(root, 'scripts', 'packaging', 'sbom.mjs')], {
    encoding: 'utf8',
  });
  expect(JSON.parse(printed).bomFormat).toBe('CycloneDX');
});
