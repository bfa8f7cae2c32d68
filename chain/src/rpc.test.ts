import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { encodeErrorResult, parseAbi } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { type Lie, type LyingRpc, startLyingRpc } from '../test/support/lying-rpc.js';
import { ChainUnavailableError } from './chain-error.js';
import { createChainClient } from './client.js';

const address = `0x${'1'.repeat(40)}` as const;
const OFFCHAIN_LOOKUP = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
]);
const NEVER_MS = 60_000;
const POINT = [0n, 0n] as const;
const PROOF = { a: POINT, b: [POINT, POINT], c: POINT, signals: [0n, 0n, 0n] } as const;

let rpc: LyingRpc;
afterEach(() => rpc.close());

async function clientOf(lie: Lie, timeoutsMs = { request: 300, verdict: 300 }) {
  rpc = await startLyingRpc(lie);
  return createChainClient(
    {
      rpcUrl: rpc.url,
      chainId: 1,
      privateKey: `0x${'1'.repeat(64)}`,
      contracts: { anchorHub: address, groth16Verifier: address },
    },
    timeoutsMs,
  );
}

/** Sends the headers and the beginning of a response, then one byte every 10 ms. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

describe('an RPC that sends a response byte by byte', { timeout: 10_000 }, () => {
  it.each([
    ['a reading', { request: 300, verdict: NEVER_MS }, 'minedNonce'],
    ['a verdict on a proof', { request: NEVER_MS, verdict: 300 }, 'verifyProof'],
  ] as const)('times out for %s, and its connection is closed', async (_, limits, what) => {
    let closed: Promise<unknown> | undefined;
    const client = await clientOf((_, response) => {
      closed = once(response, 'close');
      trickle(response);
      return 'handled';
    }, limits);
    const request = client[what](PROOF);
    await expect(request).rejects.toBeInstanceOf(ChainUnavailableError);
    await expect(request).rejects.toThrow('the request timed out');
    await closed;
  });
});

describe('an RPC', () => {
  it('that never responds times out', async () => {
    const client = await clientOf(() => 'handled');
    await expect(client.minedNonce()).rejects.toThrow('the request timed out');
  });

  it('whose response is endless is rejected when it is too long', async () => {
    const client = await clientOf(
      (_, response) => {
        const flood = () => {
          while (response.write(' '.repeat(65_536)));
          response.once('drain', flood);
        };
        flood();
        return 'handled';
      },
      { request: NEVER_MS, verdict: NEVER_MS },
    );
    const request = client.minedNonce();
    await expect(request).rejects.toBeInstanceOf(ChainUnavailableError);
    await expect(request).rejects.toThrow('its response is too long');
  });

  it('never makes the client follow an off-chain lookup of a contract', async () => {
    let isFollowed = false;
    const elsewhere = await startLyingRpc(() => {
      isFollowed = true;
      return { result: '0x' };
    });
    const args = [address, [elsewhere.url], '0x', '0x00000000', '0x'] as const;
    const data = encodeErrorResult({ abi: OFFCHAIN_LOOKUP, errorName: 'OffchainLookup', args });
    const client = await clientOf(() => ({ error: { code: 3, message: 'execution reverted', data } }));
    await expect(client.verifyProof(PROOF)).rejects.toThrow('the call was rejected');
    expect(isFollowed).toBe(false);
    elsewhere.close();
  });

  it('reuses the connection', async () => {
    const client = await clientOf(() => ({ result: '0x7' }));
    for (let i = 0; i < 5; i++) expect(await client.minedNonce()).toBe(7);
    expect(rpc.connections()).toBeLessThan(5);
  });
});
