import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import vectors from '../../docs/vectors/attestation.json' with { type: 'json' };
import {
  type AttestedPurpose,
  assertionDigest,
  attachedHash,
  enrolmentDigest,
  evidenceHash,
} from './attestation.js';
import { attestBind, registrationBind } from './field.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it.each(vectors.enrolmentDigest)(
  'digests an enrolment as docs/vectors say: $challenge [attestation/keys]',
  (vector) => {
    expect(hex(enrolmentDigest(vector))).toBe(vector.digest);
    expect(createHash('sha256').update(vector.text).digest('hex')).toBe(vector.digest);
  },
);

it.each(vectors.assertionDigest)(
  'digests a proof for $purpose as docs/vectors say [attestation/assertions]',
  (vector) => {
    const purpose = vector.purpose as AttestedPurpose;
    expect(hex(assertionDigest({ ...vector, purpose }))).toBe(vector.digest);
  },
);

it.each(vectors.evidence)('hashes evidence in canonical form', (vector) => {
  expect(evidenceHash(vector.evidence)).toBe(vector.evidenceHash);
  expect(attachedHash(vector.challenge, vector.evidence)).toBe(vector.attachedHash);
  const turned = Object.fromEntries(Object.entries(vector.evidence).reverse());
  expect(evidenceHash(turned)).toBe(vector.evidenceHash);
});

it('binds proofs as docs/vectors say', () => {
  for (const vector of vectors.attestBind) expect(String(attestBind(vector))).toBe(vector.value);
  for (const vector of vectors.registrationBind) expect(String(registrationBind(vector))).toBe(vector.value);
});

it.each(['a|b', '', 'ä', 'a\n'])(
  'throws for a challenge that could be two fields or none: %j',
  (challenge) => {
    expect(() => enrolmentDigest({ tenantId: 't', environment: 'live', challenge })).toThrow(TypeError);
  },
);
