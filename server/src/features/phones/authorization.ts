import { hash } from 'node:crypto';
import { commitmentFromHex, commitmentToHex } from '@svc/zk/field';
import { invalid } from '../../base/errors.js';
import type { Claim, Proved, SingleUseProof } from '../proofs/proofs.js';

/** The names of the new secret's proof in a body. */
export const NEW_NAMES = { proof: 'newProof', publicSignals: 'newPublicSignals' } as const;

/** Parses a new commitment into its stored form. */
export function readCommitment(text: string): string {
  const commitment = commitmentFromHex(text);
  return commitment === null
    ? invalid('body.newCommitment', 'must be below the BN254 scalar field')
    : commitmentToHex(commitment);
}

/** The proof as sent in canonical JSON (RFC 8785): the keys in order. Its strings are decimal numbers and fixed names. */
function canonicalProof({
  proof: { curve, pi_a, pi_b, pi_c, protocol },
  publicSignals,
}: Pick<SingleUseProof, 'proof' | 'publicSignals'>): string {
  return JSON.stringify({ proof: { curve, pi_a, pi_b, pi_c, protocol }, publicSignals });
}

/** What authorized a new commitment: the proof as sent, for `identity_commitments`, and its hash, for the audit event. */
export function authorizationOf({ input }: Claim, { did }: Proved['search']) {
  const { nonce, timestamp, proof, publicSignals } = input;
  return {
    authorization: { did, nonce, timestamp: new Date(timestamp).getTime(), proof, publicSignals },
    authorizedBy: hash('sha256', canonicalProof(input), 'hex'),
  };
}
