import { canonicalJson } from './approvals/canonical-json.js';
import type { BindScope, Purpose } from './field.js';
import { sha256, sha256Hex } from './prover/sha256.js';

/**
 * The texts that an attestation key signs, and the hashes of its evidence. Every implementation must reproduce
 * docs/vectors/attestation.json.
 */

/** What an assertion is over: SHA-256 of the text, which a passkey signs as its challenge. */
const digestOf = (fields: readonly string[]): Uint8Array => sha256(new TextEncoder().encode(text(fields)));

/** No field may contain the separator, so different lists of fields never give the same text. */
function text(fields: readonly string[]): string {
  if (fields.some((field) => !/^[\x20-\x7e]+$/.test(field) || field.includes('|')))
    throw new TypeError("a field must be non-empty printable ASCII without '|'");
  return fields.join('|');
}

const scoped = ({ tenantId, environment }: BindScope): string[] => [tenantId.toLowerCase(), environment];

/** Shows possession of a new key: it signs the challenge that it is enrolled with. */
export const enrolmentDigest = (fields: BindScope & { readonly challenge: string }): Uint8Array =>
  digestOf(['svc-attest-enrol-v1', ...scoped(fields), fields.challenge]);

/** What a proof is for that an assertion can come with. */
export type AttestedPurpose =
  | 'attest'
  | 'verify'
  | 'pairing'
  | 'add'
  | 'rotate'
  | 'approve'
  | 'approve-decline';

interface SentProof {
  readonly proof: { readonly pi_a: unknown; readonly pi_b: unknown; readonly pi_c: unknown };
  readonly publicSignals: readonly string[];
}

/**
 * Ties a key to one proof. `subject` is what limits the proof to one use: the id of the pairing session or the approval, or the nonce, or
 * the challenge that another key is enrolled with. With two proofs, it is over that of the old secret.
 */
export function assertionDigest(
  fields: BindScope & { readonly purpose: Purpose; readonly subject: string } & SentProof,
): Uint8Array {
  const { purpose, subject, proof, publicSignals } = fields;
  const { pi_a, pi_b, pi_c } = proof;
  const proofHash = sha256Hex(canonicalJson({ pi_a, pi_b, pi_c }));
  return digestOf(['svc-attest-v1', purpose, ...scoped(fields), subject, ...publicSignals, proofHash]);
}

/** Lower-case hex SHA-256 of the evidence in canonical JSON (RFC 8785). */
export const evidenceHash = (evidence: object): string => sha256Hex(canonicalJson(evidence));

/** What the proof that attaches a key is bound to: the challenge with the evidence that answers it. */
export const attachedHash = (challenge: string, evidence: object): string =>
  sha256Hex(`${challenge}.${canonicalJson(evidence)}`);
