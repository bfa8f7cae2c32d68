import type { Evidence, NewPasskey } from './web-authn/evidence.js';

/** A new key that was accepted, with what shows it. */
export interface SentKey {
  readonly passkey: NewPasskey;
  readonly challenge: string;
  readonly evidence: Evidence;
  readonly evidenceHash: string;
}
