import { enrolmentDigest, evidenceHash } from '@svc/zk/attestation';
import { repeatsKey } from '../../base/concurrency/repeated-key.js';
import { placeOf } from './web-authn/client-data.js';
import { checkEvidence, type Evidence, type NewPasskey } from './web-authn/evidence.js';
import { reasonOf } from './web-authn/rejection.js';

/** What GET `/v1/attestation/keys/:id/evidence` returns, as far as the checks need it. */
export interface KeptEvidence {
  readonly attestationKeyId: string;
  readonly did: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly origin: string;
  readonly challenge: string;
  readonly evidence: Evidence;
  readonly evidenceHash: string;
}

const TEXTS = [
  'attestationKeyId',
  'did',
  'tenantId',
  'environment',
  'origin',
  'challenge',
  'evidenceHash',
] as const;
const EVIDENCE = ['attestationObject', 'clientDataJSON'] as const;
const ASSERTION = ['authenticatorData', 'clientDataJSON', 'signature'] as const;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, texts: readonly string[]): Fields | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  return texts.every((name) => typeof fields[name] === 'string') ? fields : undefined;
}

/** Reads a file with such a response. Undefined if it is none. */
export function readKeptEvidence(text: string): KeptEvidence | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (repeatsKey(text)) return undefined;
  const kept = fieldsOf(fieldsOf(value, [])?.attestationEvidence, TEXTS);
  const evidence = fieldsOf(kept?.evidence, EVIDENCE);
  return fieldsOf(evidence?.assertion, ASSERTION) && (kept as unknown as KeptEvidence);
}

/** What the file itself shows. Nothing of it needs the service. */
export interface EvidenceVerdict {
  /** Whether `evidenceHash` is the hash of the evidence. */
  readonly isHashRight: boolean;
  /** The passkey, or why the service would have rejected it. */
  readonly checked: NewPasskey | { readonly refused: string };
}

/** The checks that the service made when the key was enrolled. */
export async function checkKeptEvidence(kept: KeptEvidence): Promise<EvidenceVerdict> {
  const isHashRight = evidenceHash(kept.evidence) === kept.evidenceHash;
  try {
    const digest = enrolmentDigest(kept);
    return { isHashRight, checked: await checkEvidence(placeOf(kept.origin), kept.evidence, digest) };
  } catch (error) {
    return { isHashRight, checked: { refused: reasonOf(error) } };
  }
}
