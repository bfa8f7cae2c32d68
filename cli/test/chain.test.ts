// @module-tag if-touched chain/ cli/ server/test/support/chain/ server/src/features/anchors/: starts a blockchain
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, KEYS, startAnvil } from '../../chain/test/support/anvil.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';

const MISTYPED = '0x4E59b44847b379578588920cA78FbF26c0B4956C';

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil.stop());

const settings = () => ({ CHAIN_RPC_URL: anvil.url, CHAIN_PRIVATE_KEY: KEYS.relayer });
const chain = (
  command: 'deploy' | 'status',
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) => runSvc(['chain', command, ...args], { ...settings(), ...env });

describe('svc chain', () => {
  it('deploys once, and prints the value of CHAIN_CONTRACTS in one line', async () => {
    const first = await startSvc(['chain', 'deploy', '--json'], settings()).ended;
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^[^\n]+\n$/) });
    const contracts = { CHAIN_ID: '31337', CHAIN_CONTRACTS: first.out.trim() };
    const status = await chain('status', ['--json'], contracts);
    expect(status.code).toBe(0);
    expect(status.json).toMatchObject({ chainId: 31_337, batches: 0, leaves: 0, identities: 0 });
    const again = await chain('deploy', ['--rpc-url', anvil.url], { CHAIN_RPC_URL: '' });
    expect(again.out).toContain('already on chain 31337');
    expect(again.out).toContain(`CHAIN_CONTRACTS='${first.out.trim()}'`);
  });

  it('sets the owner and the relayer of the contract', async () => {
    const owner = `0x${'1'.repeat(40)}`;
    const relayer = `0x${'2'.repeat(40)}`;
    const { json, out } = await chain('deploy', ['--owner', owner, '--relayer', relayer, '--json']);
    expect(json).toMatchObject({ owner, relayer });
    const status = await chain('status', [], { CHAIN_ID: '31337', CHAIN_CONTRACTS: out });
    expect(status).toMatchObject({ code: 1, err: expect.stringContaining('relayer is') });
  });

  it('explains a failure without the RPC’s address', async () => {
    const unreachable = await chain('deploy', [], { CHAIN_RPC_URL: 'http://127.0.0.1:1/key-in-the-path' });
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringContaining('no connection') });
    expect(unreachable.err + unreachable.out).not.toContain('key-in-the-path');
    expect((await chain('deploy', [], { CHAIN_PRIVATE_KEY: `0x${'7'.repeat(64)}` })).code).toBe(1);
    const other = await chain('status', [], { CHAIN_ID: '5' });
    expect(other).toMatchObject({ code: 1, err: 'The RPC serves chain 31337, but CHAIN_ID is 5.\n' });
  });

  it.each([
    ['a missing RPC', { CHAIN_RPC_URL: '' }, []],
    ['a missing key', { CHAIN_PRIVATE_KEY: '' }, []],
    ['a malformed key', { CHAIN_PRIVATE_KEY: 'x' }, []],
    ['a malformed owner', {}, ['--owner', 'x']],
    ['a mistyped owner', {}, ['--owner', MISTYPED]],
    ['the zero address as relayer', {}, ['--relayer', `0x${'0'.repeat(40)}`]],
  ])('rejects %s, and prints no key', async (_, env, args) => {
    const { code, err } = await chain('deploy', args, env);
    expect(code).toBe(2);
    expect(err).not.toContain(KEYS.relayer.slice(2));
    if (args[0]) expect(err).toContain(args[0]);
  });

  it('rejects contracts with mistyped addresses', async () => {
    const contracts = JSON.stringify({ anchorHub: MISTYPED, groth16Verifier: MISTYPED });
    const status = await chain('status', [], { CHAIN_ID: '31337', CHAIN_CONTRACTS: contracts });
    expect(status).toMatchObject({ code: 2, err: expect.stringMatching(/^CHAIN_CONTRACTS.* checksum/) });
  });
});
