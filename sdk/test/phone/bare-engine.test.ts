import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { artifactFiles, artifactsFolder } from '@svc/zk/setup/artifacts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleScript } from '../../../scripts/packaging/phone-module.mjs';
import { useRealProofs } from '../../../server/test/support/registered-proofs.js';
import { freshAddress, type Service, startService } from '../../../server/test/support/service.js';

useRealProofs();
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** What the engine has besides the language and WebAssembly. */
const globals = {
  crypto: webcrypto,
  TextEncoder,
  TextDecoder,
  // Of the prover alone, whose tables are in base64.
  atob,
};

/** The phone, as its program would write it. It has the vault's records in an object and no signal, timer, URL or fetch. */
const PROGRAM = `
  globalThis.phoneOf = (network, now) => {
    let stored = sdk.NOTHING_STORED;
    const vault = {
      read: async () => stored,
      change: async (work) => {
        stored = sdk.applyChanges(stored, work(stored));
      },
      alone: (name, work) => work(),
    };
    const proving = sdk.createProver({ wasm, zkey });
    const prover = sdk.phoneProver(() => proving, { seal: (each) => each, open: (each) => each });
    const timing = { now, after: () => () => {}, random: () => 0 };
    return { service: sdk.phoneService({ baseUrl: 'http://localhost:3000', fetch: network, timing }), vault, prover };
  };
  globalThis.registerAndVerify = async (phone, text, createNonce) => {
    const { sessionId } = await sdk.startRegistration(phone, sdk.parseDeeplink(text));
    const { identity } = await sdk.register(phone, sessionId);
    return sdk.verify(phone, identity.id, await createNonce());
  };
`;

it('registers and verifies in an engine that has only WebAssembly, WebCrypto and text encoders', async () => {
  const account = await service.signUp();
  const opened = await service.call('POST', '/v1/registrations', { as: account.key, body: {} });
  const script = await bundleScript(`
    export * from './phone.ts';
    export { parseDeeplink } from './codecs/deeplink.ts';
    export { createProver, phoneProver } from './prover.ts';
  `);
  const file = (name: string) => new Uint8Array(readFileSync(join(artifactsFolder, name)));
  const context = vm.createContext({
    ...globals,
    wasm: file(artifactFiles.wasm),
    zkey: file(artifactFiles.zkey),
  });
  for (const missing of ['fetch', 'URL', 'AbortController', 'setTimeout', 'Headers', 'document', 'btoa'])
    expect(vm.runInContext(`typeof ${missing}`, context)).toBe('undefined');
  vm.runInContext(script, context);
  vm.runInContext(PROGRAM, context);

  const network = async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
  ) => {
    const path = url.replace('http://localhost:3000', '');
    const reply = await service.call(method, path, {
      ...{ headers, address: freshAddress() },
      ...(body !== undefined && { raw: body }),
    });
    const received: Record<string, string> = {
      date: new Date(service.clock.now()).toUTCString(),
      'content-type': 'application/json',
    };
    return {
      status: reply.status,
      ok: reply.status < 300,
      headers: { get: (name: string) => received[name] ?? null },
      text: async () => reply.text,
    };
  };
  const { phoneOf, registerAndVerify } = context as {
    phoneOf: (fetch: typeof network, now: () => number) => unknown;
    registerAndVerify: (phone: unknown, text: string, createNonce: () => Promise<unknown>) => Promise<object>;
  };
  const createNonce = async () => (await service.call('GET', '/v1/auth/zkp/nonce', { as: account.key })).body;
  const body = await registerAndVerify(
    phoneOf(network, () => service.clock.now()),
    opened.body.pair.deeplink,
    createNonce,
  );
  const verified = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
  expect(verified.status, verified.text).toBe(200);
});
