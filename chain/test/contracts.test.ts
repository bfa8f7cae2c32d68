// @module-tag if-touched chain/: compiles and deploys the contracts, which rarely change
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_FIELD, SCALAR_FIELD } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { createProver } from '@svc/zk/prover/prover';
import { artifactFiles, artifactsFolder, loadPinnedKey } from '@svc/zk/setup/artifacts';
import { createVerifier } from '@svc/zk/verifier/create-verifier';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import type { Verifier } from '@svc/zk/verifier/verifier';
import { ContractFunctionRevertedError, decodeEventLog, encodeFunctionData, type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../src/client.js';
import { addressesFor, deploy } from '../src/deploy.js';
import { anchorHub, groth16Verifier } from '../src/generated/contracts.js';
import { AUDIT_HEAD, buildTree, hashLeaf, hashOfRoots, IDENTITY, type Leaf, wordOf } from '../src/leaves.js';
import { type Anvil, KEYS, startAnvil } from './support/anvil.js';

const relayer = privateKeyToAccount(KEYS.relayer);
const stranger = privateKeyToAccount(KEYS.stranger);
const owner = privateKeyToAccount(KEYS.owner);

let anvil: Anvil;
let hub: Hex;
let verifier: Hex;
let client: ChainClient;
let ours: Verifier;
let proofs: ParsedProof[];

beforeAll(async () => {
  anvil = await startAnvil();
  const { contracts } = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer, owner: owner.address });
  hub = contracts.anchorHub as Hex;
  verifier = contracts.groth16Verifier as Hex;
  client = createChainClient({ rpcUrl: anvil.url, chainId: 31_337, privateKey: KEYS.relayer, contracts });
  ours = await createVerifier(loadPinnedKey().vkey);
  proofs = await proveMany(64);
});

/** Valid proofs of `count` identities. */
async function proveMany(count: number): Promise<ParsedProof[]> {
  const read = (name: string) => new Uint8Array(readFileSync(join(artifactsFolder, name)));
  const prover = await createProver({ wasm: read(artifactFiles.wasm), zkey: read(artifactFiles.zkey) });
  const created: ParsedProof[] = [];
  for (let i = 0; i < count; i++) {
    const { biometricSecret, salt } = createIdentity();
    const { proof, publicSignals } = await prover.prove({ biometricSecret, salt, didHash: BigInt(i + 1) });
    const result = parseProof(proof, publicSignals);
    if (result.ok) created.push(result.parsed);
  }
  return created;
}

const verifyData = ({ a, b, c, signals }: ParsedProof) =>
  encodeFunctionData({ abi: groth16Verifier.abi, functionName: 'verify', args: [a, b, c, signals] });

afterAll(() => anvil.stop());

const word = (n: number) => wordOf(n);
const anchorData = (id: number, root: string, leaves = 1, identities = 1) =>
  encodeFunctionData({
    abi: anchorHub.abi,
    functionName: 'anchor',
    args: [BigInt(id), `0x${root}`, leaves, identities],
  });

/** Sends a transaction and returns its receipt. If it reverts, throws with the contract's error. */
async function send(from: typeof relayer, data: Hex) {
  const hash = await anvil.rpc.sendTransaction({ account: from, to: hub, data, gas: 200_000n });
  return anvil.rpc.waitForTransactionReceipt({ hash });
}

/** The name of the error with which a call reverts. */
async function revertOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const found = (error as { walk?: (test: (cause: unknown) => boolean) => unknown } | undefined)?.walk?.(
    (cause) => cause instanceof ContractFunctionRevertedError,
  ) as ContractFunctionRevertedError | undefined;
  return found?.data?.errorName;
}

const simulate = (from: typeof relayer, functionName: 'anchor' | 'setRelayer', args: unknown) =>
  anvil.rpc.simulateContract({
    account: from,
    address: hub,
    abi: anchorHub.abi,
    functionName,
    args,
  } as never);

const anchor = (from: typeof relayer, id: number, root: string, leaves = 1, identities = 1) =>
  simulate(from, 'anchor', [BigInt(id), `0x${root}`, leaves, identities]);

describe('deployment', () => {
  it('deploys the compiled code to predictable addresses', async () => {
    expect(addressesFor(owner.address, relayer.address)).toEqual({
      anchorHub: hub,
      groth16Verifier: verifier,
    });
    for (const [address, { codeHash }] of [
      [hub, anchorHub],
      [verifier, groth16Verifier],
    ] as const)
      expect(keccak256((await anvil.rpc.getCode({ address })) as Hex)).toBe(codeHash);
    await client.check();
  });

  it('sends nothing if the contracts exist', async () => {
    const before = await client.minedNonce();
    const again = await deploy({ rpcUrl: anvil.url, privateKey: KEYS.relayer, owner: owner.address });
    expect(again.deployed).toEqual([]);
    expect(await client.minedNonce()).toBe(before);
  });

  it('rejects the zero address as owner or relayer', async () => {
    const nobody = `0x${'0'.repeat(40)}` as const;
    for (const args of [
      [nobody, relayer.address],
      [owner.address, nobody],
    ] as const) {
      const deploying = anvil.rpc.deployContract({
        account: relayer,
        abi: anchorHub.abi,
        bytecode: anchorHub.bytecode,
        args,
      });
      await expect(deploying).rejects.toThrow(/revert/);
    }
  });
});

/** The roots of all stored batches, in order. */
const allRoots = async () => {
  const { batches } = await client.totals('latest');
  return Promise.all(Array.from({ length: batches }, (_, i) => client.rootOf(i + 1)));
};

describe('AnchorHub', () => {
  it('stores batches in order, counts them, and emits one event for each', async () => {
    const before = await client.totals('latest');
    const id = before.batches + 1;
    const { logs } = await send(relayer, anchorData(id, word(7), 5, 3));
    expect(await client.rootOf(id)).toBe(word(7));
    expect(await client.totals('latest')).toEqual({
      batches: id,
      leaves: before.leaves + 5,
      identities: before.identities + 3,
      rootsHash: hashOfRoots(await allRoots()),
    });
    expect(decodeEventLog({ abi: anchorHub.abi, ...logs[0]! })).toMatchObject({
      eventName: 'Anchored',
      args: { batchId: BigInt(id), root: `0x${word(7)}`, leaves: 5n, identities: 3n },
    });
    const again = await send(relayer, anchorData(id, word(7), 5, 3));
    expect(again).toMatchObject({ status: 'success', logs: [] });
    expect((await client.totals('latest')).batches).toBe(id);
  });

  it('reverts for strangers, gaps, other roots and empty batches', async () => {
    const { batches } = await client.totals('latest');
    const next = batches + 1;
    expect(await revertOf(anchor(stranger, next, word(1)))).toBe('NotRelayer');
    expect(await revertOf(anchor(owner, next, word(1)))).toBe('NotRelayer');
    expect(await revertOf(anchor(relayer, next + 1, word(1)))).toBe('BatchGap');
    expect(await revertOf(anchor(relayer, 0, word(1)))).toBe('BatchGap');
    expect(await revertOf(anchor(relayer, batches, word(1)))).toBe('RootDiffers');
    expect(await revertOf(anchor(relayer, next, word(0)))).toBe('BadBatch');
    expect(await revertOf(anchor(relayer, next, word(1), 0, 0))).toBe('BadBatch');
    expect(await revertOf(anchor(relayer, next, word(1), 2, 3))).toBe('BadBatch');
    expect((await client.totals('latest')).batches).toBe(batches);
  });

  it('allows the owner to change the relayer, and nothing else', async () => {
    const set = (from: typeof relayer, to: Hex) => simulate(from, 'setRelayer', [to]);
    expect(await revertOf(set(relayer, stranger.address))).toBe('NotOwner');
    expect(await revertOf(set(stranger, stranger.address))).toBe('NotOwner');
    expect(await revertOf(set(owner, `0x${'0'.repeat(40)}`))).toBe('ZeroAddress');
    const change = (to: Hex) =>
      send(owner, encodeFunctionData({ abi: anchorHub.abi, functionName: 'setRelayer', args: [to] }));
    await change(stranger.address);
    await expect(client.check()).rejects.toMatchObject({ state: 'not_the_relayer' });
    const { batches } = await client.totals('latest');
    expect(await revertOf(anchor(relayer, batches + 1, word(1)))).toBe('NotRelayer');
    await change(relayer.address);
    await client.check();
  });

  const leafOf = (n: number): Leaf => ({
    kind: n % 3 === 0 ? AUDIT_HEAD : IDENTITY,
    tag: word(n + 1),
    first: word(n + 2),
    second: word(n + 3),
    salt: word(n + 4),
  });
  const includes = (id: number, leaf: Leaf, path: readonly string[]) =>
    anvil.rpc.readContract({
      address: hub,
      abi: anchorHub.abi,
      functionName: 'verifyLeaf',
      args: [
        BigInt(id),
        leaf.kind,
        `0x${leaf.tag}`,
        `0x${leaf.first}`,
        `0x${leaf.second}`,
        `0x${leaf.salt}`,
        path.map((node): Hex => `0x${node}`),
      ],
    });

  it('proves each leaf of a batch, as our own tree does, and no other', async () => {
    for (const size of [1, 2, 3, 7, 8, 11]) {
      const leaves = Array.from({ length: size }, (_, n) => leafOf(n));
      const tree = buildTree(leaves.map(hashLeaf));
      const id = (await client.totals('latest')).batches + 1;
      await send(relayer, anchorData(id, tree.root, size, 0));
      for (const [i, leaf] of leaves.entries()) {
        expect(await includes(id, leaf, tree.pathOf(i))).toBe(true);
        expect(await includes(id, { ...leaf, salt: word(0) }, tree.pathOf(i))).toBe(false);
        expect(await includes(id, { ...leaf, kind: leaf.kind === 1 ? 2 : 1 }, tree.pathOf(i))).toBe(false);
        if (size > 1) expect(await includes(id, leaf, tree.pathOf((i + 1) % size))).toBe(false);
      }
    }
    expect(await revertOf(includes(1_000_000, leafOf(1), []))).toBe('UnknownBatch');
  });

  it('never accepts an inner node as a leaf', async () => {
    const leaves = Array.from({ length: 4 }, (_, n) => leafOf(n));
    const hashes = leaves.map(hashLeaf);
    const tree = buildTree(hashes);
    const id = (await client.totals('latest')).batches + 1;
    await send(relayer, anchorData(id, tree.root, 4, 0));
    // The upper path of leaf 0 leads from the inner node above it to the root. No fields turn that node into a leaf.
    const [, upper] = tree.pathOf(0) as [string, string];
    const [left, right] = [hashes[0]!, hashes[1]!].sort() as [string, string];
    for (const kind of [0, 1, 2] as const)
      for (const [first, second] of [
        [left, right],
        [right, left],
      ] as const)
        for (const rest of [word(0), left, right])
          expect(await includes(id, { kind: kind as 1, tag: rest, first, second, salt: rest }, [upper])).toBe(
            false,
          );
  });
});

describe('Groth16Verifier', () => {
  it('accepts 64 valid proofs, as the TypeScript verifier does', async () => {
    expect(proofs).toHaveLength(64);
    for (const proof of proofs) {
      expect(ours.verify(proof)).toBe(true);
      expect(await client.verifyProof(proof)).toBe(true);
    }
  });

  /** A proof with one of its eleven numbers replaced. */
  const withNumber = (proof: ParsedProof, at: number, change: (n: bigint) => bigint): ParsedProof => {
    const numbers = [...proof.a, ...proof.b.flat(), ...proof.c, ...proof.signals];
    const changed = (i: number) => (i === at ? change(numbers[i]!) : numbers[i]!);
    return {
      a: [changed(0), changed(1)],
      b: [
        [changed(2), changed(3)],
        [changed(4), changed(5)],
      ],
      c: [changed(6), changed(7)],
      signals: [changed(8), changed(9), changed(10)],
    };
  };
  const modulusOf = (at: number) => (at < 8 ? BASE_FIELD : SCALAR_FIELD);

  it('agrees with the TypeScript verifier on mutated proofs', async () => {
    const changes: ((n: bigint, modulus: bigint) => bigint)[] = [
      () => 0n,
      (n, m) => (n + 1n) % m,
      (n, m) => (m - n) % m,
      (_, m) => m - 1n,
    ];
    let rejected = 0;
    for (const [which, proof] of proofs.slice(0, 6).entries())
      for (let at = 0; at < 11; at++)
        for (const change of changes) {
          const mutated = withNumber(proof, at, (n) => change(n, modulusOf(at)));
          const verdict = ours.verify(mutated);
          expect([which, at, await client.verifyProof(mutated)]).toEqual([which, at, verdict]);
          if (!verdict) rejected += 1;
        }
    expect(rejected).toBeGreaterThan(250);
    const [one, two] = proofs as [ParsedProof, ParsedProof];
    const swapped = { ...one, a: two.a };
    expect([ours.verify(swapped), await client.verifyProof(swapped)]).toEqual([false, false]);
    // −A, −B: another valid proof of the same statement.
    const negate = (y: bigint) => BASE_FIELD - y;
    const again: ParsedProof = {
      ...one,
      a: [one.a[0], negate(one.a[1])],
      b: [one.b[0], [negate(one.b[1][0]), negate(one.b[1][1])]],
    };
    expect([ours.verify(again), await client.verifyProof(again)]).toEqual([true, true]);
  });

  it('rejects numbers at or above their modulus, and points at infinity, outside the subgroup and off the curve', async () => {
    const proof = proofs[0]!;
    for (let at = 0; at < 11; at++) {
      expect(await client.verifyProof(withNumber(proof, at, () => modulusOf(at)))).toBe(false);
      const above = withNumber(proof, at, (n) => n + modulusOf(at));
      expect(await client.verifyProof(above)).toBe(false);
    }
    const outside: ParsedProof['b'] = [
      [1n, 0n],
      [
        3610091866386166428467545612961983990332663701371483510632385378352395651980n,
        15975588672102553735566230729081043132501226101599136527557730645158523614371n,
      ],
    ];
    const infinite: ParsedProof['b'] = [
      [0n, 0n],
      [0n, 0n],
    ];
    for (const bad of [
      { ...proof, a: [0n, 0n] as const },
      { ...proof, c: [0n, 0n] as const },
      { ...proof, a: [1n, 3n] as const },
      { ...proof, b: infinite },
      { ...proof, b: outside },
    ])
      expect(await client.verifyProof(bad)).toBe(false);
  });

  it('reverts instead of returning false if there is too little gas, and an estimate finds enough', async () => {
    const data = verifyData(proofs[0]!);
    const resultWith = async (gas: bigint) => {
      const { data: answer } = await anvil.rpc
        .call({ to: verifier, data, gas })
        .catch(() => ({ data: 'reverted' as const }));
      return answer === 'reverted' ? 'reverted' : BigInt(answer ?? '0x0');
    };
    const seen = new Set<unknown>();
    for (let gas = 22_000n; gas <= 300_000n; gas += 1_000n) seen.add(await resultWith(gas));
    expect(seen).toEqual(new Set(['reverted', 1n]));
    const estimate = await anvil.rpc.estimateGas({ account: relayer, to: verifier, data });
    expect(await resultWith(estimate)).toBe(1n);
  });
});

describe('gas usage', () => {
  it('matches chain/GAS.md', async () => {
    const gasOf = async (data: Hex) => (await send(relayer, data)).gasUsed;
    const first = (await client.totals('latest')).batches + 1;
    const root = 'a'.repeat(64);
    const data = verifyData(proofs[0]!);
    const rows: [string, bigint][] = [
      ['`anchor`, a batch of one leaf', await gasOf(anchorData(first, root, 1, 1))],
      ['`anchor`, a batch of 10,000 leaves', await gasOf(anchorData(first + 1, root, 10_000, 9_999))],
      ['`anchor`, a batch that is already stored', await gasOf(anchorData(first + 1, root, 1, 1))],
    ];
    const verifying = await anvil.rpc.estimateGas({ account: relayer, to: verifier, data });
    // The cost of a proof's calldata depends on its zero bytes, so this one is rounded to ten thousands.
    const report = [
      '# Gas',
      '',
      'Gas of a whole transaction on a local chain. Measured by `chain/test/contracts.test.ts`, which fails if this page is out of date.',
      '`npx vitest run --project chain -u` updates it.',
      '',
      '| call | gas |',
      '|---|---|',
      ...rows.map(([call, gas]) => `| ${call} | ${gas} |`),
      `| \`verify\`, a valid proof; free, because the service only calls it | about ${Math.round(Number(verifying) / 10_000)}0,000 |`,
      '',
    ].join('\n');
    await expect(report).toMatchFileSnapshot('../GAS.md');
  });
});
