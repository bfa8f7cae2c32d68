import { createMultiple } from '@svc/zk/curve/fixed-base';
import { createMclVerifier } from '@svc/zk/verifier/mcl-verifier';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import type { VerificationKey } from '@svc/zk/verifier/verification-key';
import { MAX_BATCH_SIZE } from '@svc/zk/verifier/verifier';
import type { Sent } from '../receipts/enrolment.js';
import type { Findings, HoursSubject } from './fault.js';

interface Waiting {
  readonly sent: Sent;
  readonly what: string;
  readonly line: number;
  readonly about: HoursSubject | undefined;
}

/** Verdicts in the order of the proofs. One with threads returns a promise, and is given more batches before it resolves. */
export interface ProofVerifier {
  verifyBatch(batch: readonly ParsedProof[]): readonly boolean[] | Promise<readonly boolean[]>;
}

/** Makes a verifier of proofs under a key. */
export type CreateVerifier = (vkey: VerificationKey) => Promise<ProofVerifier>;

/** Batches that a verifier with threads has at the same time. */
export const MAX_SENT = 8;

interface SentBatch {
  readonly batch: readonly Waiting[];
  readonly isLater: boolean;
  readonly verdicts: Promise<readonly boolean[]>;
}

/** With the verdicts of all proofs, of which only those that could be parsed were sent. */
function sentBatch(
  batch: readonly Waiting[],
  read: readonly { readonly ok: boolean }[],
  verdicts: ReturnType<ProofVerifier['verifyBatch']>,
): SentBatch {
  const ofAll = (verified: readonly boolean[]) => {
    let next = 0;
    return read.map(({ ok }) => ok && verified[next++] === true);
  };
  if (!(verdicts instanceof Promise))
    return { batch, isLater: false, verdicts: Promise.resolve(ofAll(verdicts)) };
  const later = verdicts.then(ofAll);
  // A failure is thrown when the verdicts are taken.
  later.catch(() => undefined);
  return { batch, isLater: true, verdicts: later };
}

/** Verifies proofs, many by one equation, which is much faster than one by one. */
export class ProofCheck {
  /** Verified so far. */
  count = 0;
  readonly #vkey: VerificationKey;
  readonly #findings: Findings;
  #waiting: Waiting[] = [];
  /** Oldest first. */
  readonly #sent: SentBatch[] = [];
  readonly #create: CreateVerifier;
  #verifier: ReturnType<CreateVerifier> | undefined;

  constructor(vkey: VerificationKey, findings: Findings, create: CreateVerifier | undefined) {
    this.#create = create ?? ((key) => createMclVerifier(key, createMultiple));
    this.#vkey = vkey;
    this.#findings = findings;
  }

  /** `what` is the beginning of a sentence. */
  async add(sent: Sent, what: string, line: number): Promise<void> {
    this.#waiting.push({ sent, what, line, about: this.#findings.subject });
    if (this.#waiting.length >= MAX_BATCH_SIZE) await this.#send();
  }

  /** Waits until all are verified. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#take(0);
  }

  async #send(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    this.#verifier ??= this.#create(this.#vkey);
    const verifier = await this.#verifier;
    const read = batch.map(({ sent }) => parseProof(sent.proof, sent.publicSignals));
    const parsed = read.flatMap((each) => (each.ok ? [each.parsed] : []));
    const sent = sentBatch(batch, read, parsed.length === 0 ? [] : verifier.verifyBatch(parsed));
    this.#sent.push(sent);
    await this.#take(sent.isLater ? MAX_SENT : 0);
  }

  /** Takes verdicts in the order in which they were asked for, until only so many batches are left. */
  async #take(left: number): Promise<void> {
    while (this.#sent.length > left) {
      const { batch, verdicts } = this.#sent.shift() as SentBatch;
      const valid = await verdicts;
      for (const [at, { what, line, about }] of batch.entries()) {
        this.count += 1;
        if (!valid[at])
          this.#findings.add('proof_invalid', `${what} has a proof that is not valid.`, line, about);
      }
    }
  }
}
