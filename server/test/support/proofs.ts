import type { VerifierPool } from '@svc/zk/verifier/pool';

export {
  offCurve,
  outsideSubgroup,
  rerandomised,
  wrongProof,
} from '../../../cli/src/phone/altered-proofs.js';

/** The same pool, which counts the proofs it was given. */
export function countVerifications(pool: VerifierPool): VerifierPool & { readonly calls: { count: number } } {
  const calls = { count: 0 };
  return {
    calls,
    stats: () => pool.stats(),
    close: () => pool.close(),
    reserve(source) {
      const slot = pool.reserve(source);
      return (
        slot && {
          release: () => slot.release(),
          verify(parsed) {
            calls.count += 1;
            return slot.verify(parsed);
          },
        }
      );
    },
  };
}

/** The same pool, which can hold back the next proof that it is given. */
export function holdingProofs(pool: VerifierPool): VerifierPool & {
  /** `reached` resolves once the proof is with the verifier; its verdict waits for `letGo`. */
  hold(): { readonly reached: Promise<void>; letGo(): void };
} {
  let held: { reached: () => void; gate: Promise<void> } | undefined;
  return {
    stats: () => pool.stats(),
    close: () => pool.close(),
    reserve(source) {
      const slot = pool.reserve(source);
      return (
        slot && {
          release: () => slot.release(),
          async verify(parsed) {
            const mine = held;
            held = undefined;
            mine?.reached();
            await mine?.gate;
            return slot.verify(parsed);
          },
        }
      );
    },
    hold() {
      let letGo = () => {};
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const reached = new Promise<void>((resolve) => {
        held = { reached: resolve, gate };
      });
      return { reached, letGo };
    },
  };
}
