import type { VerifierPool } from '@svc/zk/verifier/pool';

export {
  offCurve,
  outsideSubgroup,
  rerandomised,
  wrongProof,
} from '../../../cli/src/phone/altered-proofs.js';

/** Wraps a pool and counts its verifications. */
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

/** Wraps a pool so that a test can hold the next proof. */
export function pausableProofs(pool: VerifierPool): VerifierPool & {
  /** `reached` resolves when the proof arrives. Its verification waits for `release`. */
  hold(): { readonly reached: Promise<void>; release(): void };
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
            const current = held;
            held = undefined;
            current?.reached();
            await current?.gate;
            return slot.verify(parsed);
          },
        }
      );
    },
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
