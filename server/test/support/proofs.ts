import type { Groth16Proof } from '@svc/sdk';
import type { VerifierPool, VerifierSlot } from '@svc/zk/verifier/pool';
import type { ParsedProof } from '@svc/zk/verifier/proof';
import * as altered from '../../../cli/src/phone/faults/altered-proofs.js';

type Alter = (proof: Groth16Proof) => Groth16Proof;
export const offCurve = altered.offCurve as Alter;
export const outsideSubgroup = altered.outsideSubgroup as Alter;
export const rerandomised = altered.rerandomised as Alter;
export const wrongProof = altered.wrongProof as Alter;

/** Wraps a pool so that its slots verify in another way. */
export const verifyingBy = (
  pool: VerifierPool,
  verify: (slot: VerifierSlot, parsed: ParsedProof) => Promise<boolean>,
): VerifierPool => ({
  stats: () => pool.stats(),
  close: () => pool.close(),
  reserve(source) {
    const slot = pool.reserve(source);
    return slot && { release: () => slot.release(), verify: (parsed) => verify(slot, parsed) };
  },
});

/** Wraps a pool and counts its verifications. */
export function countVerifications(pool: VerifierPool): VerifierPool & { readonly calls: { count: number } } {
  const calls = { count: 0 };
  const counting = verifyingBy(pool, (slot, parsed) => {
    calls.count += 1;
    return slot.verify(parsed);
  });
  return { ...counting, calls };
}

/** Wraps a pool so that a test can hold the next proof. */
export function pausableProofs(pool: VerifierPool): VerifierPool & {
  /** `reached` resolves when the proof arrives. Its verification waits for `release`. */
  hold(): { readonly reached: Promise<void>; release(): void };
} {
  let held: { reached: () => void; gate: Promise<void> } | undefined;
  const pausing = verifyingBy(pool, async (slot, parsed) => {
    const current = held;
    held = undefined;
    current?.reached();
    await current?.gate;
    return slot.verify(parsed);
  });
  return {
    ...pausing,
    hold() {
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const reached = new Promise<void>((resolve) => {
        held = { reached: resolve, gate };
      });
      return { reached, release };
    },
  };
}
