// @module-tag if-touched @proofs: tests the circuit and repeats its trusted setup
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProver } from '../src/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../src/setup/artifacts.js';
import { createVerifier } from '../src/verifier/create-verifier.js';
import { parseProof } from '../src/verifier/proof.js';
import { parseVerificationKey } from '../src/verifier/verification-key.js';
import {
  type Beacon,
  ceremony,
  ceremonySteps,
  pinSetup,
  type Repository,
  setupVerification,
  transcript,
} from './support/scripts.js';
import { artifact, sample, sha256Of } from './support/support.js';

const path = (role: keyof typeof artifactFiles): string => join(artifactsFolder, artifactFiles[role]);
const announced = (phase: 1 | 2): Beacon => {
  const file = readFileSync(new URL('../circuit/beacon.json', import.meta.url), 'utf8');
  const { value, iterationsExponent } = (JSON.parse(file) as Record<string, Beacon>)[`phase${phase}`]!;
  return { value, iterationsExponent };
};
const folder = join(tmpdir(), `setup-test-${randomUUID()}`);

beforeAll(() => {
  mkdirSync(folder);
});

afterAll(async () => {
  await (await ceremonySteps()).finish();
  rmSync(folder, { recursive: true });
});

describe('the committed set-up', () => {
  it('verifies from the circuit’s source to the vkey', async () => {
    const lines: string[] = [];
    const { verifySetup } = await setupVerification();
    expect(await verifySetup((line) => lines.push(line))).toEqual([
      'A development set-up: one party made every contribution and could forge proofs.',
    ]);
    expect(lines.length).toBe(5);
  });

  it('has one contribution and the announced beacon in each phase', async () => {
    const { phase1Contributions, phase2Contributions } = await transcript();
    const expected = (phase: 1 | 2) => [
      { name: 'development', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { name: 'beacon', hash: expect.any(String), beacon: announced(phase) },
    ];
    expect(phase1Contributions(path('ptau'))).toEqual(expected(1));
    expect(phase2Contributions(path('zkey'))).toEqual(expected(2));
  });

  it('matches what pin-setup writes, and a ceremony would be pinned with its contributors', async () => {
    const { pinned } = await pinSetup();
    const source = readFileSync(new URL('../src/setup/pinned-setups.ts', import.meta.url), 'utf8');
    const manifest = JSON.parse(artifact('manifest').toString('utf8'));
    expect(pinned(source, manifest)).toBe(source);
    const ceremony = { ...manifest, setup: { kind: 'ceremony', contributors: 3 } };
    expect(pinned(source, ceremony)).toContain("setup: { kind: 'ceremony', contributors: 3 }");
    expect(() => pinned('', manifest)).toThrow('does not end with its list');
  });

  it('does not verify with a tampered zkey', async () => {
    const { verifyPhase2 } = await ceremonySteps();
    const bytes = artifact('zkey');
    // A byte of the H points, just before the contributions at the end.
    const at = bytes.length - 3_000;
    bytes[at] = bytes[at]! ^ 1;
    const tampered = join(folder, 'tampered.zkey');
    writeFileSync(tampered, bytes);
    await expect(verifyPhase2(path('r1cs'), path('ptau'), tampered)).rejects.toThrow();
  });
});

describe('a set-up', () => {
  const people = [{ name: 'a' }, { name: 'b' }];
  const beacon = { name: 'beacon', beacon: { value: '0f', iterationsExponent: 10 } };

  it('counts contributors before the announced beacon', async () => {
    const { contributorsBeforeBeacon } = await setupVerification();
    expect(contributorsBeforeBeacon('Phase 1', [...people, beacon], beacon.beacon)).toEqual(['a', 'b']);
  });

  it.each([
    ['contribution', 'only a beacon, which anyone could redo', [beacon]],
    ['contribution', 'nothing', []],
    ['contribution', 'a second beacon', [...people, beacon, beacon]],
    ['beacon', 'no beacon', people],
    ['beacon', 'a contribution after the beacon', [{ name: 'a' }, { name: 'late' }]],
    ['beacon', 'another beacon', [...people, { name: 'x', beacon: { value: '0e', iterationsExponent: 10 } }]],
    [
      'beacon',
      'a cheaper beacon',
      [...people, { name: 'x', beacon: { value: '0f', iterationsExponent: 9 } }],
    ],
  ])('fails %s with %s', async (check, _, contributions) => {
    const { contributorsBeforeBeacon } = await setupVerification();
    let failed: unknown;
    try {
      contributorsBeforeBeacon('Phase 1', contributions, beacon.beacon);
    } catch (error) {
      failed = (error as { check?: string }).check;
    }
    expect(failed).toBe(check);
  });

  it('with too small a power is rejected, although snarkjs does not throw', async () => {
    const { startPhase2 } = await ceremonySteps();
    const { powersOfTau } = snarkjs as unknown as {
      powersOfTau: Record<string, (...args: unknown[]) => Promise<unknown>>;
    };
    const { curves } = snarkjs as unknown as { curves: { getCurveFromName(name: string): Promise<unknown> } };
    const [raw, prepared] = [join(folder, 'small.ptau'), join(folder, 'small-prepared.ptau')];
    await powersOfTau.newAccumulator!(await curves.getCurveFromName('bn128'), 8, raw);
    await powersOfTau.preparePhase2!(raw, prepared);
    await expect(startPhase2(path('r1cs'), prepared, join(folder, 'small.zkey'))).rejects.toThrow('-1');
  });
});

describe('a ceremony', () => {
  const at = join(folder, 'ceremony');
  type Published = Parameters<Repository['publish']>[0];
  let published: Published | undefined;
  const from: Repository = {
    r1cs: () => artifact('r1cs'),
    powersOfTau: () => undefined,
    publish: async (result) => {
      published = result;
    },
  };

  it('produces working keys from several contributors in both phases', async () => {
    const { start, contribute, check, beacon } = await ceremony();
    const { verificationKeyText } = await ceremonySteps();
    await start(at, undefined, from);
    await expect(beacon(at, from)).rejects.toThrow('no contribution with a statement');
    await expect(contribute(at, '', 'https://a.example', from)).rejects.toThrow('name');
    await expect(contribute(at, 'alice', '', from)).rejects.toThrow('address');
    for (let phase = 1; phase <= 2; phase++) {
      for (const name of ['alice', 'bob']) {
        const text = await contribute(at, name, `https://${name}.example`, from);
        expect(text).toMatch(new RegExp(`^I, ${name}, made .* SHA-256 [0-9a-f]{64} to phase ${phase},`));
      }
      if (phase === 1) await contribute(at, 'Alice', 'https://alice.example', from);
      const { contributors, notCounted } = await check(at, from);
      expect(contributors).toEqual(['alice', 'bob']);
      expect(notCounted).toEqual([expect.stringContaining('contribution 3 (Alice): its statement repeats')]);
      await beacon(at, from);
    }
    expect(published?.contributors).toBe(2);
    expect(published?.statements.map(({ phase, name }) => `${phase} ${name}`)).toEqual([
      '1 alice',
      '1 bob',
      '2 alice',
      '2 bob',
    ]);
    const { phase1Contributions, phase2Contributions } = await transcript();
    const { contributorsBeforeBeacon } = await setupVerification();
    for (const [phase, contributions, names] of [
      [1, phase1Contributions(published!.ptau), ['alice', 'bob', 'Alice']],
      [2, phase2Contributions(published!.zkey), ['alice', 'bob']],
    ] as const) {
      expect(contributorsBeforeBeacon('A phase', contributions, announced(phase))).toEqual(names);
    }

    const files = { wasm: artifact('wasm'), zkey: readFileSync(published!.zkey) };
    const vkey = await verificationKeyText(published!.zkey);
    const prover = await createProver(files, {
      expected: { wasmSha256: sha256Of(files.wasm), zkeySha256: sha256Of(files.zkey), vkey },
    });
    const { biometricSecret, salt, didHash } = sample.inputs;
    const { proof, publicSignals } = await prover.prove({
      biometricSecret: BigInt(biometricSecret),
      salt: BigInt(salt),
      didHash: BigInt(didHash),
    });
    const result = parseProof(proof, publicSignals);
    if (!result.ok) throw new Error('the proof does not parse');
    const verifier = await createVerifier(parseVerificationKey(vkey));
    const committed = await createVerifier(parseVerificationKey(artifact('vkey').toString('utf8')));
    expect([verifier.verify(result.parsed), committed.verify(result.parsed)]).toEqual([true, false]);
  }, 600_000);

  it('rejects a contribution on top of a tampered one', async () => {
    const { contribute } = await ceremony();
    const names = readdirSync(at).filter((name) => name.startsWith('phase2-'));
    const newest = join(at, names.sort().at(-1)!);
    const bytes = readFileSync(newest);
    bytes[bytes.length - 3_000] = bytes[bytes.length - 3_000]! ^ 1;
    writeFileSync(newest, bytes);
    await expect(contribute(at, 'carol', 'https://carol.example', from)).rejects.toThrow();
    expect(readdirSync(at).filter((name) => name.startsWith('phase2-'))).toEqual(names);
  });

  it('is rejected if its constraints differ from those of the repository’s circuit', async () => {
    const { start, contribute, check, beacon } = await ceremony();
    const other = join(folder, 'other-circuit');
    const changed = artifact('r1cs');
    changed[changed.length - 1] = changed[changed.length - 1]! ^ 1;
    await start(other, undefined, { ...from, r1cs: () => changed });
    const message = 'is not what the circuit of this repository compiles to';
    await expect(check(other)).rejects.toThrow(message);
    await expect(contribute(other, 'Ada', 'https://ada.example')).rejects.toThrow(message);
    await expect(beacon(other)).rejects.toThrow(message);
  });

  it('can start from the announced public powers-of-tau file, and from no other', async () => {
    const { start, check } = await ceremony();
    const sha256 = createHash('sha256').update(artifact('ptau')).digest('hex');
    const announcing = (hash: string): Repository => ({
      ...from,
      powersOfTau: () => ({ source: 'a public ceremony', sha256: hash }),
    });
    const started = join(folder, 'public');
    await expect(start(started, path('ptau'), from)).rejects.toThrow('not a public powers-of-tau file');
    await expect(start(started, undefined, announcing(sha256))).rejects.toThrow('a public ceremony');
    await expect(start(started, path('ptau'), announcing('0'.repeat(64)))).rejects.toThrow(
      'announced SHA-256',
    );
    await start(started, path('ptau'), announcing(sha256));
    expect(await check(started, announcing(sha256))).toMatchObject({ contributors: [], notCounted: [] });
    await expect(check(started, announcing('0'.repeat(64)))).rejects.toThrow('not the announced public file');
  });
});
