// @module-tag if-touched chain/: a blockchain with forty batches
import { fromRlp, type Hex, keccak256, numberToHex, toRlp } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../src/client.js';
import { deploy } from '../src/deploy.js';
import { wordOf } from '../src/leaves.js';
import { readSavedBlock, type SavedBlock, saveBlock } from '../src/saved-block.js';
import { fetchRoot } from '../src/stored-root.js';
import { type Anvil, KEYS, startAnvil } from './support/anvil.js';

const BATCHES = 40;
const rootOf = (batchId: number) => `${'f'.repeat(batchId % 2)}${wordOf(batchId * 7).slice(batchId % 2)}`;

let anvil: Anvil;
let client: ChainClient;
let contract: string;
let other: string;
beforeAll(async () => {
  anvil = await startAnvil();
  const { contracts } = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer });
  contract = contracts.anchorHub;
  other = contracts.groth16Verifier;
  client = createChainClient({ rpcUrl: anvil.url, chainId: 31_337, privateKey: KEYS.relayer, contracts });
  const fees = await client.suggestFees();
  const nonce = await client.minedNonce();
  for (let batchId = 1; batchId <= BATCHES; batchId++) {
    const call = { batchId, root: rootOf(batchId), leaves: 1, identities: 0 };
    await client.send((await client.sign(call, nonce + batchId - 1, fees, 150_000n)).raw);
  }
  await anvil.rpc.mine({ blocks: 4 });
  expect((await client.totals('finalized')).batches).toBe(BATCHES);
});
afterAll(() => anvil.stop());

const saved = (batchId: number) => saveBlock(anvil.url, { contract, batchId });

describe('a saved block', () => {
  it('proves each batch that was final then, without the blockchain', async () => {
    for (let batchId = 1; batchId <= BATCHES; batchId++) {
      const block = JSON.parse(JSON.stringify(await saved(batchId)));
      const { root, blockNumber, blockHash, chainId } = readSavedBlock(block, { contract, batchId });
      expect([batchId, root, chainId]).toEqual([batchId, `0x${rootOf(batchId)}`, 31_337]);
      const there = await anvil.rpc.getBlock({ blockNumber: BigInt(blockNumber) });
      expect(blockHash).toBe(there.hash);
    }
  });

  it('proves that a batch does not exist', async () => {
    for (const batchId of [BATCHES + 1, 1_000_000])
      expect(readSavedBlock(await saved(batchId), { contract, batchId }).root).toBeUndefined();
  });

  it('is rejected for another batch, another contract, or if anything in it was altered', async () => {
    const block = await saved(3);
    const read = (changed: Partial<SavedBlock>, batchId = 3, at = contract) => {
      try {
        return readSavedBlock({ ...block, ...changed }, { contract: at, batchId }).root;
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(read({})).toBe(`0x${rootOf(3)}`);
    expect(read({}, 4)).toBe('RangeError');
    expect(read({}, 3, numberToHex(1, { size: 20 }))).toBe('RangeError');
    expect(read({ storageProof: [] })).toBe('RangeError');
    expect(read({ accountProof: [] })).toBe('RangeError');
    for (const name of ['accountProof', 'storageProof'] as const)
      block[name].forEach((node, i) => {
        for (const at of [4, Math.floor(node.length / 2), node.length - 1]) {
          const nodes = [...block[name]];
          const digit = node[at] === '0' ? '1' : '0';
          nodes[i] = `${node.slice(0, at)}${digit}${node.slice(at + 1)}` as Hex;
          expect(read({ [name]: nodes })).toBe('RangeError');
        }
      });
  });

  it('agrees with an RPC about the same block', async () => {
    for (const batchId of [1, BATCHES, BATCHES + 1])
      expect(readSavedBlock(await saved(batchId), { contract, batchId })).toEqual(
        await fetchRoot(anvil.url, { contract, batchId }),
      );
  });

  it.each([
    ['nothing', {}],
    ['a header that is not hex', { chainId: 1, header: '0xzz', accountProof: [], storageProof: [] }],
    ['an empty header', { chainId: 1, header: '0x', accountProof: [], storageProof: [] }],
    ['a header without fields', { chainId: 1, header: '0xc0', accountProof: ['0xc0'], storageProof: [] }],
  ])('with %s is rejected', (_, block) => {
    expect(() => readSavedBlock(block, { contract, batchId: 1 })).toThrow(RangeError);
  });

  it('is rejected if a field has another form of the same value', async () => {
    const block = await saved(3);
    const [node, ...nodes] = block.storageProof as [Hex, ...Hex[]];
    const fields = fromRlp(block.header, 'hex') as Hex[];
    const late = toRlp(fields.with(11, '0xffffffffffffffff'));
    const nested = toRlp(fields.with(8, [fields[8]] as never) as never);
    for (const changed of [
      { chainId: '31337' },
      { chainId: { toString: 'x' } },
      { chainId: 0 },
      { chainId: 1.5 },
      { header: block.header.replace('0x', '0X') },
      { header: block.header.slice(2) },
      { header: `${block.header}0` },
      { header: block.header.toUpperCase().replace('0X', '0x') },
      { header: [block.header] },
      { header: { toString: () => block.header } },
      { header: late },
      { header: nested },
      { header: `0xfa010000${'00'.repeat(65_536)}` },
      { accountProof: block.accountProof[0] },
      { accountProof: { length: 0 } },
      { storageProof: [node.replace('0x', '0X'), ...nodes] },
      { storageProof: [[node], ...nodes] },
      { storageProof: [...block.storageProof, `0x${'00'.repeat(2_000)}`] },
      { storageProof: Array.from({ length: 1_000 }, () => node) },
    ])
      expect(() => readSavedBlock({ ...block, ...changed }, { contract, batchId: 3 })).toThrow(RangeError);
    for (const nothing of [null, undefined, 7, 'x', [], [block]])
      expect(() => readSavedBlock(nothing, { contract, batchId: 3 })).toThrow('the saved block is invalid');
    expect(readSavedBlock(block, { contract, batchId: 3 }).root).toBe(`0x${rootOf(3)}`);
  });

  it('of a contract other than AnchorHub is rejected', async () => {
    const block = await saveBlock(anvil.url, { contract: other, batchId: 1 });
    expect(() => readSavedBlock(block, { contract: other, batchId: 1 })).toThrow('no AnchorHub');
    await expect(fetchRoot(anvil.url, { contract: other, batchId: 1 })).rejects.toThrow('no AnchorHub');
  });

  it('with another header has another hash', async () => {
    const block = await saved(1);
    const { blockHash } = readSavedBlock(block, { contract, batchId: 1 });
    expect(blockHash).toBe(keccak256(block.header));
    expect(keccak256(`${block.header.slice(0, -1)}0` as Hex)).not.toBe(blockHash);
  });
});
