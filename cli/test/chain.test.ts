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
  it('deploys once, and prints as one line what CHAIN_CONTRACTS takes', async () => {
    const first = await startSvc(['chain', 'deploy', '--json'], settings()).ended;
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^[^\n]+\n$/) });
    const contracts = { CHAIN_ID: '31337', CHAIN_CONTRACTS: first.out.trim() };
    const status = await chain('status', ['--json'], contracts);
    expect(status.code).toBe(0);
    expect(status.json).toMatchObject({ chainId: 31_337, batches: 0, leaves: 0, identities: 0 });
    const again = await chain('deploy', ['--rpc-url', anvil.url], { CHAIN_RPC_URL: '' });
    expect(again.out).toContain('on chain 31337 already');
    expect(again.out).toContain(`CHAIN_CONTRACTS='${first.out.trim()}'`);
  });

  it('gives the contract another owner and another relayer where asked', async () => {
    const owner = `0x${'1'.repeat(40)}`;
    const relayer = `0x${'2'.repeat(40)}`;
    const { json, out } = await chain('deploy', ['--owner', owner, '--relayer', relayer, '--json']);
    expect(json).toMatchObject({ owner, relayer });
    const status = await chain('status', [], { CHAIN_ID: '31337', CHAIN_CONTRACTS: out });
    expect(status).toMatchObject({ code: 1, err: expect.stringContaining('relayer is') });
  });

  it('says why it cannot, in a sentence without the address of the RPC', async () => {
    const gone = await chain('deploy', [], { CHAIN_RPC_URL: 'http://127.0.0.1:1/key-in-the-path' });
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('no connection') });
    expect(gone.err + gone.out).not.toContain('key-in-the-path');
    expect((await chain('deploy', [], { CHAIN_PRIVATE_KEY: `0x${'7'.repeat(64)}` })).code).toBe(1);
    const other = await chain('status', [], { CHAIN_ID: '5' });
    expect(other).toMatchObject({ code: 1, err: 'The RPC serves chain 31337, but CHAIN_ID is 5.\n' });
  });

  it.each([
    ['no address of an RPC', { CHAIN_RPC_URL: '' }, []],
    ['no key', { CHAIN_PRIVATE_KEY: '' }, []],
    ['a key that is none', { CHAIN_PRIVATE_KEY: 'x' }, []],
    ['an owner that is none', {}, ['--owner', 'x']],
    ['an owner that was mistyped', {}, ['--owner', MISTYPED]],
    ['a relayer that is nobody', {}, ['--relayer', `0x${'0'.repeat(40)}`]],
  ])('does not understand %s, and repeats no key', async (_, env, args) => {
    const { code, err } = await chain('deploy', args, env);
    expect(code).toBe(2);
    expect(err).not.toContain(KEYS.relayer.slice(2));
    if (args[0]) expect(err).toContain(args[0]);
  });

  it('takes no contracts whose addresses were mistyped', async () => {
    const contracts = JSON.stringify({ anchorHub: MISTYPED, groth16Verifier: MISTYPED });
    const status = await chain('status', [], { CHAIN_ID: '31337', CHAIN_CONTRACTS: contracts });
    expect(status).toMatchObject({ code: 2, err: expect.stringMatching(/^CHAIN_CONTRACTS.* checksum/) });
  });
});
