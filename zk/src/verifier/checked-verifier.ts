import { isCanonical, type ParsedProof } from './proof.js';
import type { Verifier } from './verifier.js';

/** A proof on which the kernel and mcl disagree. One of them is wrong, so the software or the machine has a fault. */
export interface Difference {
  /** What the kernel returned. `accepted`: a proof that mcl rejects. `rejected`: a proof that mcl accepts. */
  readonly kernel: 'accepted' | 'rejected';
  /** The proof's first signal, which identifies the person. */
  readonly commitment: bigint;
}

/** How many proofs mcl verified after the kernel. */
export interface Opinions {
  /** Proofs that the kernel had rejected. */
  readonly rejections: number;
  /** Proofs that the kernel had accepted. */
  readonly acceptances: number;
  /** Rejected proofs that mcl did not verify, because of the limit. */
  readonly skipped: number;
}

export interface CheckedVerdicts {
  readonly verdicts: readonly boolean[];
  readonly opinions: Opinions;
  readonly differences: readonly Difference[];
}

export interface CheckOptions {
  readonly kernel: Verifier;
  readonly mcl: Verifier;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** A random byte, drawn after the verdict. */
  readonly randomByte: () => number;
}

/**
 * How many rejected proofs mcl verifies in a window, which takes about a fifth of a thread's time. Without a limit, an attacker could
 * make each invalid proof cost several times as much as a valid one. The window is short, so that a batch never waits long.
 */
const MAX_REJECTIONS = 4;
const WINDOW_MS = 100;
const NO_OPINIONS: Opinions = { rejections: 0, acceptances: 0, skipped: 0 };
/** One accepted proof in this many is verified again. */
const SAMPLE = 64;

/**
 * Verdicts of a kernel, with mcl as an independent check. A proof that the kernel rejects gets mcl's verdict, up to the limit, so
 * that a fault of the kernel turns nobody away. `confirm` checks accepted proofs after the verdicts were sent. After any
 * difference, mcl verifies everything.
 */
export class CheckedVerifier {
  readonly #options: CheckOptions;
  #windowStart = Number.NEGATIVE_INFINITY;
  #rejections = 0;
  #usesMcl = false;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /** From now on, only mcl verifies. */
  useMcl(): void {
    this.#usesMcl = true;
  }

  verify(batch: readonly ParsedProof[], singly: boolean): CheckedVerdicts {
    const { mcl } = this.#options;
    const verifier = this.#usesMcl ? mcl : this.#options.kernel;
    const verdicts = singly ? batch.map(verifier.verify) : verifier.verifyBatch(batch);
    if (this.#usesMcl) return { verdicts, opinions: NO_OPINIONS, differences: [] };
    const rejected = batch.flatMap((parsed, i) => (!verdicts[i] && isCanonical(parsed) ? [i] : []));
    const asked = rejected.slice(0, this.#allowance(rejected.length));
    const differences: Difference[] = [];
    for (const i of asked) {
      const parsed = batch[i] as ParsedProof;
      if (!mcl.verify(parsed)) continue;
      verdicts[i] = true;
      differences.push({ kernel: 'rejected', commitment: parsed.signals[0] });
    }
    this.#usesMcl ||= differences.length > 0;
    const opinions = { rejections: asked.length, acceptances: 0, skipped: rejected.length - asked.length };
    return { verdicts, opinions, differences };
  }

  /** Verifies accepted proofs again: those marked in `always`, and a random sample of the others. */
  confirm(
    batch: readonly ParsedProof[],
    verdicts: readonly boolean[],
    always: readonly boolean[],
  ): Omit<CheckedVerdicts, 'verdicts'> {
    const { mcl, randomByte } = this.#options;
    if (this.#usesMcl) return { opinions: NO_OPINIONS, differences: [] };
    const chosen = batch.filter((_, i) => verdicts[i] && (always[i] || randomByte() % SAMPLE === 0));
    const confirmed = mcl.verifyBatch(chosen);
    const differences = chosen.flatMap(({ signals }, i) =>
      confirmed[i] ? [] : [{ kernel: 'accepted' as const, commitment: signals[0] }],
    );
    this.#usesMcl ||= differences.length > 0;
    return { opinions: { ...NO_OPINIONS, acceptances: chosen.length }, differences };
  }

  /** How many of `wanted` rejections may be verified again now. */
  #allowance(wanted: number): number {
    if (wanted === 0) return 0;
    const now = this.#options.now();
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#rejections = 0;
    }
    const allowed = Math.min(wanted, MAX_REJECTIONS - this.#rejections);
    this.#rejections += allowed;
    return allowed;
  }
}
