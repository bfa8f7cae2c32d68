// @module-tag if-touched chain/ cli/ server/test/support/chain/ server/src/features/anchors/: starts a blockchain
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anchoredService } from '../../server/test/support/chain/anchoring.js';
import { runSvc } from '../../server/test/support/svc.js';

const on = anchoredService();

let folder: string;
let env: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-anchors-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const svc = (...args: string[]) => runSvc(args, env);
const rpc = () => ['--rpc-url', on.chain.anvil.url];
/** A copy of the file with one text replaced. */
const altered = (name: string, from: string | RegExp, to: string) => {
  const before = readFileSync(at(name), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(at('altered'), after);
  return at('altered');
};

beforeEach(async () => {
  const { service, account } = on;
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.http.server.address() as AddressInfo;
  env = { BASE_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: account.key };
  await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
  on.clock.advance(600_000);
  await on.expectExact();
});

const becomeFinal = () => on.chain.anvil.rpc.mine({ blocks: 5 });

describe('svc anchors', () => {
  it('fetches a proof, and verifies it against any RPC or, without blockchain and service, against a saved block', async () => {
    const { did, commitment } = await on.register();
    await on.expectExact();
    writeFileSync(at('proof'), 'an earlier one', { mode: 0o644 });
    expect((await svc('anchors', 'prove', '--did', did, '--out', at('proof'))).code).toBe(0);
    expect(statSync(at('proof')).mode & 0o777).toBe(0o600);
    const early = await svc('anchors', 'verify', at('proof'), ...rpc());
    expect(early).toMatchObject({ code: 1, out: expect.stringContaining('is not final yet') });
    await becomeFinal();
    const found = await svc('anchors', 'verify', at('proof'), ...rpc(), '--save-block', at('block'));
    expect(found.out).toContain(`commitment 0x${commitment}`);
    expect(found.code).toBe(0);
    await on.chain.killNode();
    await on.service.app.http.close();
    const offline = await svc('anchors', 'verify', at('proof'), '--block', at('block'), '--json');
    expect(offline.code).toBe(0);
    expect(found.out).toContain(offline.json.block.blockHash);
  });

  it('rejects a proof with an altered part, another contract or another blockchain', async () => {
    await becomeFinal();
    await svc('anchors', 'prove', '--out', at('proof'));
    const verify = (file: string, ...args: string[]) => svc('anchors', 'verify', file, ...rpc(), ...args);
    expect((await verify(at('proof'))).code).toBe(0);
    const { anchor } = JSON.parse(readFileSync(at('proof'), 'utf8'));
    for (const word of [anchor.leaf.first, anchor.leaf.second, anchor.leaf.tag, anchor.salt, anchor.root])
      expect((await verify(altered('proof', word, `0x${'1'.repeat(64)}`))).code).toBe(1);
    expect((await verify(altered('proof', /"chainId":[0-9]+/, '"chainId":1'))).out).toContain(
      'names chain 1',
    );
    expect((await verify(altered('proof', anchor.contract, on.chain.client.relayer))).out).toContain(
      'no AnchorHub',
    );
    const elsewhere = await verify(at('proof'), '--contract', `0x${'1'.repeat(40)}`);
    expect(elsewhere).toMatchObject({ code: 1, out: expect.stringContaining(anchor.contract) });
    const { code } = await svc('anchors', 'verify', at('proof'));
    expect(code).toBe(2);
    expect((await verify(altered('proof', anchor.salt, '0x'))).code).toBe(2);
    const unreachable = await svc(
      'anchors',
      'verify',
      at('proof'),
      '--rpc-url',
      'http://127.0.0.1:1/key-in-the-path',
    );
    expect(unreachable.code).toBe(1);
    expect(unreachable.err).not.toContain('key-in-the-path');
  });
});

describe('svc audit verify with an anchored row', () => {
  it('compares the row with the blockchain or with a saved block', async () => {
    await on.service.call('POST', '/v1/users', { as: on.account.key, body: { fullName: 'Ada' } });
    await becomeFinal();
    await svc('audit', 'export', '--out', at('chain'));
    const { anchor, head } = JSON.parse(readFileSync(at('chain'), 'utf8').trimEnd().split('\n').at(-1)!);
    expect(Number(anchor.leaf.first)).toBeLessThan(head.seq);
    const alone = await svc('audit', 'verify', at('chain'));
    expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('Check that with --rpc-url') });
    const there = await svc('audit', 'verify', at('chain'), ...rpc());
    expect(there).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Row ${Number(anchor.leaf.first)} is in`),
    });
    await svc('anchors', 'prove', '--out', at('proof'));
    await svc('anchors', 'verify', at('proof'), ...rpc(), '--save-block', at('block'));
    await on.chain.killNode();
    for (const args of [
      ['--block', at('block')],
      ['--block', at('block'), '--anchor', at('proof')],
    ])
      expect((await svc('audit', 'verify', at('chain'), ...args)).code).toBe(0);
    const forged = altered('chain', anchor.salt, `0x${'1'.repeat(64)}`);
    for (const args of [[], ['--block', at('block')]])
      expect((await svc('audit', 'verify', forged, ...args)).out).toContain('does not lead to its root');
  });

  it('rejects a chain that was replaced, by an earlier proof', async () => {
    await becomeFinal();
    await svc('anchors', 'prove', '--out', at('proof'));
    const other = await on.service.signUp({ plan: 'growth' });
    env = { ...env, SVC_API_KEY: other.key };
    await svc('audit', 'export', '--out', at('chain'));
    const verdict = await svc('audit', 'verify', at('chain'), '--anchor', at('proof'), ...rpc());
    expect(verdict).toMatchObject({ code: 1, out: expect.stringMatching(/anchored|another chain/) });
  });

  it('rejects the proof of an identity, and reports a missing anchor', async () => {
    const { did } = await on.register();
    await on.expectExact();
    await becomeFinal();
    await svc('anchors', 'prove', '--did', did, '--out', at('proof'));
    await svc('audit', 'export', '--out', at('chain'));
    const verdict = await svc('audit', 'verify', at('chain'), '--anchor', at('proof'), ...rpc());
    expect(verdict).toMatchObject({ code: 2, err: expect.stringContaining('the proof of an identity') });
    const bare = altered('chain', /,"anchor":.*/, '}');
    expect((await svc('audit', 'verify', bare)).code).toBe(0);
    expect((await svc('audit', 'verify', bare, ...rpc())).code).toBe(2);
  });
});
