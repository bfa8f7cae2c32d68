import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, type ChainSettings, createChainClient } from '../src/client.js';
import { deploy } from '../src/deploy.js';
import { type Anvil, KEYS, startAnvil } from './support/anvil.js';
import { type Lie, type LyingRpc, startLyingRpc } from './support/lying-rpc.js';

let anvil: Anvil;
let rpc: LyingRpc;
let client: ChainClient;
let settings: ChainSettings;
/** Replaces responses while a test sets it. */
let lie: Lie | undefined;
beforeAll(async () => {
  anvil = await startAnvil();
  const { contracts } = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer });
  rpc = await startLyingRpc((...request) => lie?.(...request), anvil.url);
  settings = { rpcUrl: rpc.url, chainId: 31_337, privateKey: KEYS.relayer, contracts };
  client = createChainClient(settings);
});
afterEach(() => {
  lie = undefined;
});
afterAll(async () => {
  rpc.close();
  await anvil.stop();
});

const batch = { batchId: 1, root: 'a'.repeat(64), leaves: 1, identities: 0 };
const anchorOne = async () => {
  return (await client.sign(batch, await client.minedNonce(), await client.suggestFees(), 150_000n)).raw;
};

describe('an empty response', () => {
  const nothingTo =
    (...methods: string[]): Lie =>
    ({ method }) =>
      methods.includes(method) ? { result: '0x' } : undefined;

  it.each(['latest', 'finalized'] as const)('is not a count of batches, up to the %s block', async (at) => {
    await anvil.rpc.mine({ blocks: 5 });
    lie = nothingTo('eth_call');
    await expect(client.totals(at)).rejects.toMatchObject({
      name: 'ChainUnavailableError',
      message: "The chain's RPC cannot be used: its response is empty",
    });
    lie = undefined;
    expect(await client.totals(at)).toMatchObject({ batches: 0 });
  });

  it('is reported as wrong_code if the contract no longer exists', async () => {
    lie = nothingTo('eth_call', 'eth_getCode');
    await expect(client.totals('latest')).rejects.toMatchObject({ state: 'wrong_code' });
  });

  it('counts as 0 for a block before the contract', async () => {
    lie = ({ method, params }) =>
      method === 'eth_call' || (method === 'eth_getCode' && params[1] === 'finalized')
        ? { result: '0x' }
        : undefined;
    expect(await client.totals('finalized')).toMatchObject({ batches: 0 });
  });

  it('is not a verdict on a proof, a root or a relayer', async () => {
    lie = nothingTo('eth_call');
    const point = [0n, 0n] as const;
    const proof = { a: point, b: [point, point], c: point, signals: [0n, 0n, 0n] } as const;
    for (const request of [client.verifyProof(proof), client.rootOf(1), client.check()])
      await expect(request).rejects.toThrow('its response is empty');
  });
});

describe('an estimate of gas', () => {
  const estimating =
    (result: unknown): Lie =>
    ({ method }) =>
      method === 'eth_estimateGas' ? { result } : undefined;

  it('below what Ethereum needs leaves the limit at that minimum', async () => {
    expect(await client.gasFor(batch)).toBe(150_000n);
  });

  it('of a chain that charges data as gas is raised by half', async () => {
    lie = estimating('0xf4240');
    expect(await client.gasFor(batch)).toBe(1_500_000n);
  });

  it.each(['0x0', '0x1', '0x5208'])(
    'of %s is too low for any chain and is raised to the minimum',
    async (low) => {
      lie = estimating(low);
      expect(await client.gasFor(batch)).toBe(150_000n);
    },
  );

  it.each(['0x1c9c381', `0x${'f'.repeat(16)}`, `0x${'f'.repeat(100_000)}`])(
    'larger than a block is reported as gas_too_high (%.12s)',
    async (high) => {
      lie = estimating(high);
      await expect(client.gasFor(batch)).rejects.toMatchObject({ state: 'gas_too_high' });
    },
  );

  it.each(['garbage', '0x', '-0x1', '1e9', '7', 7, true, null, {}, [[]]])(
    'that is not a quantity is rejected: %j',
    async (garbage) => {
      lie = estimating(garbage);
      await expect(client.gasFor(batch)).rejects.toThrow("The chain's RPC cannot be used");
    },
  );

  it.each([
    { code: 3, message: 'execution reverted', data: '0x' },
    { code: -32_000, message: 'execution reverted: BatchGap' },
    { code: -32_015, message: 'VM execution error: Reverted 0x' },
  ])('that reverts is reported as refused before anything is paid: %j', async (error) => {
    lie = ({ method }) => (method === 'eth_estimateGas' ? { error } : undefined);
    await expect(client.gasFor(batch)).rejects.toMatchObject({ state: 'refused' });
    lie = undefined;
    await expect(client.gasFor({ ...batch, batchId: 7 })).rejects.toMatchObject({ state: 'refused' });
  });

  it('that fails for another reason does not blame the batch', async () => {
    lie = ({ method }) =>
      method === 'eth_estimateGas' ? { error: { code: -32_601, message: 'x' } } : undefined;
    await expect(client.gasFor(batch)).rejects.toThrow('error -32601');
  });

  it('that never arrives times out', async () => {
    lie = ({ method }) => (method === 'eth_estimateGas' ? 'handled' : undefined);
    const hasty = createChainClient({ ...settings, rpcUrl: rpc.url }, { request: 100, verdict: 100 });
    await expect(hasty.gasFor(batch)).rejects.toThrow('the request timed out');
  });
});

describe('a transaction that a node rejects', () => {
  const rejectWith =
    (error: unknown): Lie =>
    ({ method }) =>
      method === 'eth_sendRawTransaction' ? { error } : undefined;

  it('counts as sent if the node already has it, whatever error code it returns', async () => {
    const raw = await anchorOne();
    for (const code of [-32_000, -32_010, -32_603, 7, undefined]) {
      lie = rejectWith({ code, message: 'AlreadyKnown' });
      await client.send(raw);
    }
  });

  it('reports missing funds and low fees', async () => {
    const raw = await anchorOne();
    lie = rejectWith({ code: -32_004, message: 'Upfront cost exceeds account balance' });
    await expect(client.send(raw)).rejects.toMatchObject({ state: 'no_funds' });
    lie = rejectWith({ code: -32_009, message: 'Gas price below current base fee' });
    await expect(client.send(raw)).rejects.toMatchObject({ state: 'fees_too_high' });
  });

  it.each([
    ['error -32010', { code: -32_010, message: 'Invalid' }],
    ['error -7', { code: -7, message: 'of some other standard' }],
    ['an error without a code', { message: 'Invalid' }],
    ['an error without a code', { code: 'key-in-the-path', message: 'Invalid' }],
    ['an error without a code', 'Invalid'],
    ['an error without a code', { code: null }],
  ])('for an unknown reason is reported as %s', async (text, error) => {
    const raw = await anchorOne();
    lie = rejectWith(error);
    await expect(client.send(raw)).rejects.toThrow(`The chain's RPC cannot be used: ${text}`);
  });
});
