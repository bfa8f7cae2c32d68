import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, KEYS, startAnvil } from '../../chain/test/support/anvil.js';
import { type ChainOptions, chainDeploy, chainStatus } from './chain.js';
import { UsageError } from './usage-error.js';

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil.stop());

const run = async (
  command: typeof chainDeploy,
  env: Record<string, string>,
  given: ChainOptions = {},
  json = false,
) => {
  let out = '';
  let err = '';
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
  };
  const code = await command(given, env, json, streams);
  return { code, out, err };
};

describe('svc chain', () => {
  const env = () => ({ CHAIN_RPC_URL: anvil.url, CHAIN_PRIVATE_KEY: KEYS.relayer });

  it('deploys once, and prints as one line what CHAIN_CONTRACTS takes', async () => {
    const first = await run(chainDeploy, env(), {}, true);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^[^\n]+\n$/);
    const settings = { ...env(), CHAIN_ID: '31337', CHAIN_CONTRACTS: first.out.trim() };
    const status = await run(chainStatus, settings, {}, true);
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({ chainId: 31_337, batches: 0, leaves: 0, identities: 0 });
    const again = await run(chainDeploy, { CHAIN_PRIVATE_KEY: KEYS.relayer }, { 'rpc-url': anvil.url });
    expect(again.out).toContain('on chain 31337 already');
    expect(again.out).toContain(`CHAIN_CONTRACTS='${first.out.trim()}'`);
  });

  it('gives the contract another owner and another relayer where asked', async () => {
    const owner = `0x${'1'.repeat(40)}`;
    const relayer = `0x${'2'.repeat(40)}`;
    const { out } = await run(chainDeploy, env(), { owner, relayer }, true);
    expect(JSON.parse(out)).toMatchObject({ owner, relayer });
    const status = await run(chainStatus, { ...env(), CHAIN_ID: '31337', CHAIN_CONTRACTS: out });
    expect(status.code).toBe(1);
    expect(status.err).toContain('AnchorHub listens to');
  });

  it('says why it cannot, in a sentence without the address of the RPC', async () => {
    const rpcUrl = 'http://127.0.0.1:1/key-in-the-path';
    const refused = await run(chainDeploy, { ...env(), CHAIN_RPC_URL: rpcUrl });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('no connection');
    expect(refused.err).not.toContain('key-in-the-path');
    const poor = { ...env(), CHAIN_PRIVATE_KEY: `0x${'7'.repeat(64)}` };
    expect((await run(chainDeploy, poor)).code).toBe(1);
    const other = await run(chainStatus, { ...env(), CHAIN_ID: '5' });
    expect([other.code, other.err]).toEqual([1, 'The RPC is of chain 31337, and CHAIN_ID is 5.\n']);
  });

  it.each([
    ['no address of an RPC', { CHAIN_PRIVATE_KEY: KEYS.relayer }, {}],
    ['no key', { CHAIN_RPC_URL: 'http://127.0.0.1:1' }, {}],
    ['a key that is none', { CHAIN_RPC_URL: 'http://127.0.0.1:1', CHAIN_PRIVATE_KEY: 'x' }, {}],
    [
      'an owner that is none',
      { CHAIN_RPC_URL: 'http://127.0.0.1:1', CHAIN_PRIVATE_KEY: KEYS.relayer },
      { owner: 'x' },
    ],
  ])('does not understand %s', async (_, settings, given) => {
    await expect(async () => run(chainDeploy, settings as never, given)).rejects.toThrow(UsageError);
  });
});
