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

async function clientOf(lie: Lie, limitsMs = { answer: 300, verdict: 300 }) {
  rpc = await startLyingRpc(lie);
  return createChainClient(
    {
      rpcUrl: rpc.url,
      chainId: 1,
      privateKey: `0x${'1'.repeat(64)}`,
      contracts: { anchorHub: address, groth16Verifier: address },
    },
    limitsMs,
  );
}

/** Headers, the beginning of an answer, and then a drop now and then. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const drops = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(drops));
}

describe('an RPC that sends an answer drop by drop', { timeout: 10_000 }, () => {
  it.each([
    ['a reading', { answer: 300, verdict: NEVER_MS }, 'minedNonce'],
    ['a verdict on a proof', { answer: NEVER_MS, verdict: 300 }, 'verifyProof'],
  ] as const)('is not waited for, with %s, and its connection is given up', async (_, limits, what) => {
    let gone: Promise<unknown> | undefined;
    const client = await clientOf((_, response) => {
      gone = once(response, 'close');
      trickle(response);
      return 'handled';
    }, limits);
    const asked = client[what](PROOF);
    await expect(asked).rejects.toBeInstanceOf(ChainUnavailableError);
    await expect(asked).rejects.toThrow('no answer in time');
    await gone;
  });
});

describe('an RPC', () => {
  it('that never answers is not waited for either', async () => {
    const client = await clientOf(() => 'handled');
    await expect(client.minedNonce()).rejects.toThrow('no answer in time');
  });

  it('whose answer has no end is not read to its end', async () => {
    const client = await clientOf(
      (_, response) => {
        const flood = () => {
          while (response.write(' '.repeat(65_536)));
          response.once('drain', flood);
        };
        flood();
        return 'handled';
      },
      { answer: NEVER_MS, verdict: NEVER_MS },
    );
    const asked = client.minedNonce();
    await expect(asked).rejects.toBeInstanceOf(ChainUnavailableError);
    await expect(asked).rejects.toThrow('its answer is too long');
  });

  it('whose contract points elsewhere is not followed there', async () => {
    let isFollowed = false;
    const elsewhere = await startLyingRpc(() => {
      isFollowed = true;
      return { result: '0x' };
    });
    const args = [address, [elsewhere.url], '0x', '0x00000000', '0x'] as const;
    const data = encodeErrorResult({ abi: OFFCHAIN_LOOKUP, errorName: 'OffchainLookup', args });
    const client = await clientOf(() => ({ error: { code: 3, message: 'execution reverted', data } }));
    await expect(client.verifyProof(PROOF)).rejects.toThrow('the call was refused');
    expect(isFollowed).toBe(false);
    elsewhere.close();
  });

  it('that answers is asked again over the same connection', async () => {
    const client = await clientOf(() => ({ result: '0x7' }));
    for (let i = 0; i < 5; i++) expect(await client.minedNonce()).toBe(7);
    expect(rpc.connections()).toBeLessThan(5);
  });
});
