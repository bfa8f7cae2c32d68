import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { singleUseProof } from './proofs.schema.js';

/** How far a proof's time may be from the server's. Also of proofs that were made before a restore. */
export const SKEW_MS = 5 * 60_000;
/** A spent nonce is stored until its timestamp is certainly too old. */
const NONCE_TTL_MS = 10 * 60_000;

export type SingleUseProof = { [K in keyof typeof singleUseProof]: Static<(typeof singleUseProof)[K]> };

/** What limits a proof to one use. */
export interface Use {
  /** As proofs bind it. */
  readonly nonce: string;
  /** As proofs bind it: Unix time in milliseconds, never negative. */
  readonly timestampMs: number;
  readonly isFresh: boolean;
  /** Until when the nonce stays spent. */
  readonly expiresAt: Date;
}

/** A proof of the time before a restore is stale, because its nonce may have been spent after the backup. */
export function readUse(
  { proofsFrom }: Pick<Deps, 'proofsFrom'>,
  { nonce, timestamp }: Pick<SingleUseProof, 'nonce' | 'timestamp'>,
  now: number,
): Use {
  // A proof can only bind a non-negative time. An earlier one is stale in any case.
  const timestampMs = Math.max(0, new Date(timestamp).getTime());
  return {
    nonce: nonce.toLowerCase(),
    timestampMs,
    isFresh: Math.abs(now - timestampMs) <= SKEW_MS && timestampMs >= proofsFrom,
    expiresAt: new Date(Math.min(timestampMs, now + SKEW_MS) + NONCE_TTL_MS),
  };
}
