import { parseTransaction } from 'viem';
import { expect, it } from 'vitest';
import { addressProblem } from './address.js';
import { createChainClient } from './client.js';

const RIGHT = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const MISTYPED = RIGHT.replace('0x4e', '0x4E');

it('accepts an address with a correct checksum, or without one', () => {
  for (const text of [RIGHT, RIGHT.toLowerCase(), `0x${RIGHT.slice(2).toUpperCase()}`, `0x${'1'.repeat(40)}`])
    expect(addressProblem(text)).toBeUndefined();
});

it.each([
  ['a wrong checksum', MISTYPED, 'checksum'],
  ['the zero address', `0x${'0'.repeat(40)}`, 'zero address'],
  ['an address that is too short', '0x1', 'not an address'],
  ['an address without 0x', RIGHT.slice(2), 'not an address'],
  ['an upper-case X', RIGHT.replace('0x', '0X'), 'not an address'],
])('rejects %s, and creates no client with it', (_, address, reason) => {
  expect(addressProblem(address)).toContain(reason);
  const contracts = { anchorHub: address, groth16Verifier: RIGHT };
  const settings = { rpcUrl: 'http://127.0.0.1:1', chainId: 1, privateKey: `0x${'1'.repeat(64)}` };
  expect(() => createChainClient({ ...settings, contracts })).toThrow(`The address of anchorHub`);
});

it('signs transactions for any chain id', async () => {
  const contracts = { anchorHub: RIGHT, groth16Verifier: RIGHT.toLowerCase() };
  const settings = { rpcUrl: 'http://127.0.0.1:1', privateKey: `0x${'1'.repeat(64)}`, contracts };
  const call = { batchId: 1, root: 'a'.repeat(64), leaves: 1, identities: 0 };
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  for (const chainId of [1_313_161_554, Number.MAX_SAFE_INTEGER]) {
    const { raw } = await createChainClient({ ...settings, chainId }).sign(call, 0, fees, 150_000n);
    expect(parseTransaction(raw as '0x').chainId).toBe(chainId);
  }
});
