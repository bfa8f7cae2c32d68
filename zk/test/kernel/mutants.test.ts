// @module-tag if-touched @proofs: puts faults into every function of the verifier’s kernels
import { beforeAll, describe, expect, it } from 'vitest';
import { createMultiple } from '../../src/curve/fixed-base.js';
import { type Kernel, KernelUnusableError } from '../../src/kernel/kernel.js';
import { bytesOf, startKernel } from '../../src/kernel/load.js';
import { verifyWith } from '../../src/kernel/verify-with.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import { CheckedVerifier } from '../../src/verifier/checked-verifier.js';
import { createMclVerifier } from '../../src/verifier/mcl-verifier.js';
import type { ParsedProof } from '../../src/verifier/proof.js';
import type { Verifier } from '../../src/verifier/verifier.js';
import { kernels } from '../support/kernels.js';
import { mutations, rerandomise } from '../support/mutations.js';
import { sampleParsed, seededRandom } from '../support/support.js';
import { mutantsOf } from '../support/wasm-mutants.js';

const { vkey } = loadPinnedKey();
const PER_FUNCTION = Number(process.env.ZK_MUTANTS ?? 3);
const FACTORS = BigUint64Array.from({ length: 8 }, (_, i) => 0x9e3779b97f4a7c15n * BigInt(i + 1));

let mcl: Verifier;
let valid: ParsedProof[];
let invalid: ParsedProof[];
beforeAll(async () => {
  mcl = await createMclVerifier(vkey, createMultiple);
  const random = seededRandom(21n);
  valid = Array.from({ length: 4 }, () => rerandomise(sampleParsed(), random));
  invalid = Object.values(mutations).map((mutate) => mutate(valid[0] as ParsedProof, random));
});

/** The mutant, if it passes the known-answer test at the start. */
async function survivor(name: 'fma' | 'scalar', bytes: Uint8Array): Promise<Kernel | undefined> {
  try {
    return await startKernel(name, bytes, vkey);
  } catch (error) {
    if (error instanceof KernelUnusableError) return undefined;
    throw error;
  }
}

/** Verdicts as the service gives them: of the kernel, with mcl's opinion on what it rejects. */
function checkedVerdicts(kernel: Kernel, proofs: readonly ParsedProof[]) {
  const checked = new CheckedVerifier({
    kernel: verifyWith(kernel),
    mcl,
    now: () => 0,
    randomByte: () => 1,
  });
  return checked.verify(proofs, true).verdicts;
}

describe.each(kernels)('a fault in any function of the %s kernel', (name) => {
  it('is found at the start, or does not lead to a wrong verdict', async () => {
    const mutants = mutantsOf(await bytesOf(name), PER_FUNCTION);
    const functions = new Set(mutants.map(({ func }) => func));
    const survivors: string[] = [];
    for (const { func, at, bytes } of mutants) {
      const kernel = await survivor(name, bytes);
      if (kernel === undefined) continue;
      const label = `function ${func}, offset ${at}`;
      survivors.push(label);
      expect([label, ...checkedVerdicts(kernel, valid)]).toEqual([label, ...valid.map(() => true)]);
      for (const proof of invalid) {
        const [first, second, third] = valid as [ParsedProof, ParsedProof, ParsedProof];
        expect([label, kernel.verify(proof).valid]).toEqual([label, false]);
        expect([label, kernel.verifyBatch([first, second, proof, third], FACTORS).valid]).toEqual([
          label,
          false,
        ]);
      }
    }
    console.log(
      `${name}: ${mutants.length} faults in ${functions.size} functions; ${survivors.length} pass the start`,
    );
    expect(functions.size).toBeGreaterThan(10);
  });
});
