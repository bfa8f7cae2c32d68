import { createMultiple } from '@svc/zk/curve/fixed-base';
import { createMclVerifier } from '@svc/zk/verifier/mcl-verifier';
import { parseProof } from '@svc/zk/verifier/proof';
import type { VerificationKey } from '@svc/zk/verifier/verification-key';
import { MAX_BATCH_SIZE, type Verifier } from '@svc/zk/verifier/verifier';
import type { Sent } from '../receipts/enrolment.js';
import type { Findings, HoursSubject } from './fault.js';

interface Waiting {
  readonly sent: Sent;
  readonly what: string;
  readonly line: number;
  readonly about: HoursSubject | undefined;
}

/** Makes a verifier of proofs under a key. */
export type CreateVerifier = (vkey: VerificationKey) => Promise<Pick<Verifier, 'verifyBatch'>>;

/** Verifies proofs, many by one equation, which is much faster than one by one. */
export class ProofCheck {
  /** Verified so far. */
  count = 0;
  readonly #vkey: VerificationKey;
  readonly #findings: Findings;
  #waiting: Waiting[] = [];
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
    if (this.#waiting.length >= MAX_BATCH_SIZE) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    this.#verifier ??= this.#create(this.#vkey);
    const verifier = await this.#verifier;
    const read = batch.map(({ sent }) => parseProof(sent.proof, sent.publicSignals));
    const parsed = read.flatMap((each) => (each.ok ? [each.parsed] : []));
    const verdicts = parsed.length === 0 ? [] : verifier.verifyBatch(parsed);
    let next = 0;
    for (const [at, { what, line, about }] of batch.entries()) {
      this.count += 1;
      const isValid = read[at]?.ok === true && verdicts[next++] === true;
      if (!isValid)
        this.#findings.add('proof_invalid', `${what} has a proof that is not valid.`, line, about);
    }
  }
}
