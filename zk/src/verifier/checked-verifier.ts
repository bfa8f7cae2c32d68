import { isCanonical, type ParsedProof } from './proof.js';
import type { Verifier } from './verifier.js';

/** A proof on which the kernel and mcl disagree. At most one of them is right, so this is a fault of the software or machine. */
export interface Difference {
  /** What the kernel returned. `accepted`: a proof that mcl rejects. `rejected`: a proof that mcl accepts. */
  readonly kernel: 'accepted' | 'rejected';
  /** The proof's first signal, to find the person by. */
  readonly commitment: bigint;
}

/** How often mcl verified a proof too. */
export interface Opinions {
  /** After the kernel rejected it. */
  readonly rejections: number;
  /** After the kernel accepted it. */
  readonly acceptances: number;
  /** Not, because of the limit. */
  readonly skipped: number;
}

export interface CheckedVerdicts {
  readonly verdicts: readonly boolean[];
  readonly opinions: Opinions;
  readonly differences: readonly Difference[];
}

export interface CheckOptions {
  readonly kernel: Verifier;
  /** Loads mcl's verifier, once. */
  readonly mcl: () => Promise<Verifier>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** A random byte, drawn after the verdict. */
  readonly randomByte: () => number;
}

/**
 * Rejected proofs that mcl may verify again in one second, which takes at most a fifth of a thread. Without a limit, somebody who
 * sends invalid proofs would make each one cost five times as much.
 */
const MAX_REJECTIONS_PER_SECOND = 40;
/** One accepted proof in this many is verified again. */
const SAMPLE = 64;

/**
 * Verdicts of a kernel, with mcl as an independent check. A proof that the kernel rejects gets mcl's verdict, so a fault of the
 * kernel turns nobody away. `confirm` checks accepted proofs after their answer.
 */
export class CheckedVerifier {
  readonly #options: CheckOptions;
  #windowStart = Number.NEGATIVE_INFINITY;
  #rejections = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  async verify(batch: readonly ParsedProof[], singly: boolean): Promise<CheckedVerdicts> {
    const { kernel, mcl } = this.#options;
    const verdicts = singly ? batch.map(kernel.verify) : kernel.verifyBatch(batch);
    const rejected = batch.flatMap((parsed, i) => (!verdicts[i] && isCanonical(parsed) ? [i] : []));
    const asked = rejected.slice(0, this.#allowance(rejected.length));
    const differences: Difference[] = [];
    for (const i of asked) {
      const parsed = batch[i] as ParsedProof;
      if (!(await mcl()).verify(parsed)) continue;
      verdicts[i] = true;
      differences.push({ kernel: 'rejected', commitment: parsed.signals[0] });
    }
    const opinions = { rejections: asked.length, acceptances: 0, skipped: rejected.length - asked.length };
    return { verdicts, opinions, differences };
  }

  /** Verifies accepted proofs again: those in `always`, and a random sample of the others. */
  async confirm(
    batch: readonly ParsedProof[],
    verdicts: readonly boolean[],
    always: readonly boolean[],
  ): Promise<Omit<CheckedVerdicts, 'verdicts'>> {
    const { mcl, randomByte } = this.#options;
    const chosen = batch.filter((_, i) => verdicts[i] && (always[i] || randomByte() % SAMPLE === 0));
    const confirmed = chosen.length === 0 ? [] : (await mcl()).verifyBatch(chosen);
    const differences = chosen.flatMap(({ signals }, i) =>
      confirmed[i] ? [] : [{ kernel: 'accepted' as const, commitment: signals[0] }],
    );
    return { opinions: { rejections: 0, acceptances: chosen.length, skipped: 0 }, differences };
  }

  /** How many of `wanted` rejections may be verified again now. */
  #allowance(wanted: number): number {
    if (wanted === 0) return 0;
    const now = this.#options.now();
    if (now - this.#windowStart >= 1_000) {
      this.#windowStart = now;
      this.#rejections = 0;
    }
    const allowed = Math.min(wanted, MAX_REJECTIONS_PER_SECOND - this.#rejections);
    this.#rejections += allowed;
    return allowed;
  }
}
