import { createHash } from 'node:crypto';
import { poseidon2, poseidon3 } from '@svc/zk/poseidon';
import type { Prover } from '@svc/zk/prover/prover';
import type { VerifierPool } from '@svc/zk/verifier/pool';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import { afterAll, beforeAll } from 'vitest';
import { verifyingBy } from './proofs.js';

/**
 * The only replacement of our own code in the tests: a proof takes 160 ms of CPU time, and most tests need one only to get past it. The
 * prover invents points and registers them with the signals of the circuit. The verifier accepts exactly what was registered, and
 * everything else goes to the real one: its queue, its verdict. Files whose subject is the proof, or whose server is another
 * process, call `useRealProofs`.
 */
const registered = new Set<string>();

const keyOf = ({ a, b, c, signals }: ParsedProof) =>
  createHash('sha256')
    .update([a, ...b, c, signals].flat().join())
    .digest('base64');

let count = 0;
/** Coordinates are in range, and the points not on the curve. */
const pair = (): [string, string] => [String(++count), String(++count)];

export const registeringProver: Prover = {
  async prove({ biometricSecret, salt, didHash }) {
    const proof = {
      protocol: 'groth16' as const,
      curve: 'bn128' as const,
      pi_a: [...pair(), '1'] as const,
      pi_b: [pair(), pair(), ['1', '0']] as const,
      pi_c: [...pair(), '1'] as const,
    };
    const publicSignals: [string, string, string] = [
      String(poseidon2(biometricSecret, salt)),
      String(didHash),
      String(poseidon3(biometricSecret, salt, didHash)),
    ];
    const read = parseProof(proof, publicSignals);
    if (!read.ok) throw new Error('a registered proof is malformed');
    registered.add(keyOf(read.parsed));
    return { proof, publicSignals };
  },
};

/** Adds the registered proofs to what a pool accepts. */
export const acceptRegistered = (pool: VerifierPool): VerifierPool =>
  verifyingBy(pool, async (slot, parsed) => {
    if (!registered.has(keyOf(parsed))) return slot.verify(parsed);
    slot.release();
    return true;
  });

/** A verifier for checks without the service that accepts the registered proofs and no other. */
export const createRegisteredVerifier = async () => ({
  verifyBatch: (proofs: readonly ParsedProof[]): boolean[] =>
    proofs.map((parsed) => registered.has(keyOf(parsed))),
});

let isReal = false;
export const usesRealProofs = () => isReal;

/** Phones of this test file make real proofs. Call it first. */
export function useRealProofs(): void {
  beforeAll(() => {
    isReal = true;
  });
  afterAll(() => {
    isReal = false;
  });
}
