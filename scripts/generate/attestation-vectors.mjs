// Writes docs/vectors/attestation.json: what attestation keys sign and proofs are bound to, for phones in any language. It computes all of
// it on its own, not with the code under test.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/** RFC 8785 for objects and lists of strings. */
function canonical(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text, 'utf8').digest();
const hex = (/** @type {string} */ text) => sha256(text).toString('hex');
/** The first 31 bytes of SHA-256, as a number. */
const bind = (/** @type {string[]} */ ...fields) =>
  String(BigInt(`0x${hex(['svc:bind:v1', ...fields].join('|')).slice(0, 62)}`));

const scope = { tenantId: '019db486-65c0-785d-839b-c57d73f54993', environment: 'live' };
const at = [scope.tenantId, scope.environment];
const challenge = 'AAABnhuHmMB7Ig1qQ0bq5oFkXo2vYkTxU3rKcD8sZl5nJw4hPzQ9eGtRVb0m6iya';
const evidence = {
  attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  assertion: {
    authenticatorData: 'JlkQTsAKdriMqE84HF0LUSqgiRqfQADxZkQh8fexppkdAAAAAA',
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    signature: 'MEUCIHyxmhzDsQ7N9xr0BUFfLK0RV5G9NVhW',
  },
};
const proof = {
  pi_a: ['1', '2', '1'],
  pi_b: [
    ['3', '4'],
    ['5', '6'],
    ['1', '0'],
  ],
  pi_c: ['7', '8', '1'],
  protocol: 'groth16',
  curve: 'bn128',
};
const publicSignals = ['11', '12', '13'];
const session = '019dddb9-45c0-79a8-8770-b6b101f48800';
const challengeNonce = '0123456789abcdef0123456789abcdef';
const evidenceHash = hex(canonical(evidence));
const attachedHash = hex(`${challenge}.${canonical(evidence)}`);
const { pi_a, pi_b, pi_c } = proof;
const proofHash = hex(canonical({ pi_a, pi_b, pi_c }));

const subjects = {
  attest: challenge,
  verify: 'e85f2557-f16a-4e0c-986a-e071ae3f975c',
  pairing: '019de2df-a1c0-7eb1-97eb-cabf9a007e29',
  add: 'e85f2557-f16a-4e0c-986a-e071ae3f975c',
  rotate: 'e85f2557-f16a-4e0c-986a-e071ae3f975c',
  approve: '019dfe41-2bc0-7a63-9c1d-5e8f2b7a4d16',
  'approve-decline': '019dfe41-2bc0-7a63-9c1d-5e8f2b7a4d16',
};

const vectors = {
  enrolmentDigest: [challenge, challengeNonce].map((each) => ({
    ...scope,
    challenge: each,
    text: ['svc-attest-enrol-v1', ...at, each].join('|'),
    digest: hex(['svc-attest-enrol-v1', ...at, each].join('|')),
    webauthnChallenge: sha256(['svc-attest-enrol-v1', ...at, each].join('|')).toString('base64url'),
  })),
  evidence: [{ challenge, evidence, canonical: canonical(evidence), evidenceHash, attachedHash }],
  attestBind: [{ ...scope, attachedHash, value: bind('attest', ...at, attachedHash) }],
  registrationBind: [
    {
      ...scope,
      ...{ sessionId: session, challengeNonce, evidenceHash },
      value: bind('registration', ...at, session, challengeNonce, evidenceHash),
    },
  ],
  assertionDigest: Object.entries(subjects).map(([purpose, subject]) => {
    const text = ['svc-attest-v1', purpose, ...at, subject, ...publicSignals, proofHash].join('|');
    return { ...scope, purpose, subject, proof, publicSignals, text, digest: hex(text) };
  }),
};
writeFileSync(join(root, 'docs/vectors/attestation.json'), `${JSON.stringify(vectors, null, 2)}\n`);
