import type { VerifierPool } from '@svc/zk/pool';

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
