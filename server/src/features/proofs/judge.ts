import { boundSignal, didHash, joinBind } from '@svc/zk/field';
import { fail } from '../../base/errors.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { Assertion, BoundUse, Sent, Statement, Verified } from './claim.js';
import { type Prover, type ReservedProof, withReserved } from './reserved.js';
import { readUse } from './use.js';

/** Who sends proofs, and where. A registration has no scope and reads nothing before its code is known. */
export interface Sender extends Prover {
  readonly scope?: Scope;
  readonly read?: Read;
}

/** What the proofs of a request show. Nothing is decided yet. */
export interface Judged<S extends Statement = Statement> {
  readonly statement: S;
  /** Of the secret that was proved, in stored form. */
  readonly commitment: string;
  /** It is bound to what it may be bound to instead. */
  readonly isOther: boolean;
  /** The first reason to reject it that does not depend on the identity: the proof, its time, its binding. */
  readonly flaw: FailureReason | undefined;
  readonly verified: Verified | undefined;
  /** Why the assertion that came with it was not accepted. */
  readonly refused: string | undefined;
  /** The assertion has the level that the policy asks for. */
  readonly isEnough: boolean;
  readonly at: Date;
}

/** What a proof is compared with. A bind of null is the DID alone, a commitment of undefined any. */
interface Expected {
  readonly did: string;
  readonly bind: bigint | null;
  readonly commitment?: string | undefined;
}

/** The one comparison of a proof's signals: with a secret, and with what the proof has to be bound to. */
function shows({ signals, commitment }: ReservedProof, expected: Expected): boolean {
  const hash = didHash(expected.did);
  const isBound = signals[1] === (expected.bind === null ? hash : boundSignal(hash, expected.bind));
  return isBound && (expected.commitment === undefined || commitment === expected.commitment);
}

/** @throws Failure `device_attestation_required` if the policy asks for an assertion and none came */
export function requireSent({ judge: sent, level }: Assertion): void {
  if (level > 0 && sent === undefined) fail('device_attestation_required');
}

/**
 * Judges the proofs of a request, always by the same work: a slot for each before `statementOf` looks anything up, one verification of
 * each, and the assertion that came with the first. `find` looks up the identity with the commitment of the first proof, while it is verified.
 */
export function judge<S extends Statement, F = undefined>(
  sender: Sender,
  sent: Sent,
  statementOf: () => S | Promise<S>,
  find?: (commitment: string) => Promise<F>,
): Promise<Judged<S> & { readonly found: F | undefined }> {
  const { deps, scope, read } = sender;
  const useAt = (now: number) => sent.use && readUse(deps, sent.use, now);
  return withReserved(sender, sent, async (own, joined) => {
    const statement = await statementOf();
    const { did, commitment, bindOf, orBoundTo, joining, attested, onOtherBinding } = statement;
    const { nonce = '', timestampMs = 0 } = useAt(deps.clock.now()) ?? {};
    const bound = { ...scope, nonce, timestampMs } as BoundUse;
    const isOf = (bind: bigint | null) => did !== null && shows(own, { did, commitment, bind });
    // Only a request that names no identity needs no binding.
    const isIt = did === null ? bindOf === null : bindOf !== null && isOf(bindOf(bound));
    const isOther = !isIt && orBoundTo !== undefined && isOf(orBoundTo);
    if (!isIt && !isOther && onOtherBinding) return onOtherBinding();
    const joins =
      joining === undefined ||
      (joined !== undefined &&
        shows(joined, {
          ...joining,
          bind: joinBind({ ...bound, did: did ?? '', newCommitment: joining.commitment }),
        }));
    const { proof, publicSignals } = sent;
    const { purpose } = statement;
    const subject = attested?.subject ?? nonce;
    const [found, assertion, isJoinedValid, isValid] = await Promise.all([
      find?.(own.commitment),
      did === null || read === undefined
        ? undefined
        : attested?.judge?.(read, { purpose, subject, did, proof, publicSignals }),
      // First, so that it doesn't wait for the confirmation of the other.
      joined === undefined || joined.verify(),
      own.verify(),
    ]);
    const now = deps.clock.now();
    const refused = assertion !== undefined && 'refused' in assertion ? assertion.refused : undefined;
    const verified = assertion !== undefined && 'level' in assertion ? assertion : undefined;
    const flaw =
      !isValid || !isJoinedValid
        ? 'invalid_proof'
        : useAt(now)?.isFresh === false
          ? 'stale'
          : (isIt || isOther) && joins
            ? undefined
            : 'wrong_binding';
    return {
      ...{ statement, commitment: own.commitment, isOther, flaw, verified, refused, found },
      isEnough: (verified?.level ?? 0) >= (attested?.level ?? 0),
      at: new Date(now),
    };
  });
}
