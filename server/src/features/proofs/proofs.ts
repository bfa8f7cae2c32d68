import * as nonces from './nonces.store.js';
import * as provers from './provers.store.js';
import * as verifications from './verification.store.js';

export { accountOf, actAsPhone, callerOf, type PhoneCaller, phoneOf } from './callers.js';
export type { Assertion, AttestedProof, Claim, Refused, Statement, Verified } from './claim.js';
export { decide } from './decide.js';
export { type Judged, judge } from './judge.js';
export { NONCE_EXPIRY } from './nonces.store.js';
export { Commitment, claimErrors, Did, Proof, PublicSignals, singleUseProof } from './proofs.schema.js';
export { attestedBy, type Proved, prove, reject, verifiedBy } from './prove.js';
export { readUse, type SingleUseProof, SKEW_MS } from './use.js';
export { type ProofContext, resultOf, verifyOnce } from './verify.js';

export type ProverRow = provers.ProverRow;
export type Outcome = verifications.Outcome;
export type Settled<UserId = string | null> = verifications.Settled<UserId>;
export type Spend = verifications.Spend;

/** Spends a nonce for something other than a verification. False if it is spent. */
export const consumeNonce: typeof nonces.consumeNonce = (...use) => nonces.consumeNonce(...use);

/** The identity that a proof names, with what is wrong with it. */
export const findProver: typeof provers.findProver = (...search) => provers.findProver(...search);

/** Decides a verification. `spend` consumes what may be used once. */
export const settleVerification: typeof verifications.settleVerification = (...attempt) =>
  verifications.settleVerification(...attempt);
