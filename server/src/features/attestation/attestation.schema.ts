import Type from 'typebox';
import { DID_PATTERN } from '../../model/did.js';
import { did, hash, ids, passkeys, secrets, times } from '../../model/example-fixtures.js';
import {
  base64url,
  Environment,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const ClientData = base64url(passkeys.clientData, 2_048);
/** `navigator.credentials.get`, with the digest of docs/attestation.md as its challenge. */
const assertion = {
  authenticatorData: base64url(passkeys.authenticatorData, 2_048),
  clientDataJSON: ClientData,
  signature: base64url(passkeys.signature, 1_024),
  userHandle: Type.Optional(base64url(passkeys.userHandle, 128)),
};
const Assertion = strictObject(assertion, 'AttestationAssertion');

/** Left out of the examples of requests that it is optional in. */
const withoutExample = <T extends object>(schema: T) => ({ ...schema, examples: [] });

/** An assertion over a proof by the key of its identity. */
export const AttestedBy = withoutExample(
  strictObject({ keyId: uuid(ids.attestationKey), assertion: Assertion }, 'AttestationParams'),
);

const creation = { attestationObject: base64url(passkeys.attestation, 8_192), clientDataJSON: ClientData };
const Evidence = strictObject({ ...creation, assertion: Assertion }, 'AttestationEvidence');

/** A new key with what shows that the phone has it. */
const evidence = {
  platform: Type.Enum(['webauthn']),
  keyId: Type.Optional(base64url(passkeys.credentialId, 1_366)),
  evidence: Evidence,
};
export const SentEvidence = withoutExample(strictObject(evidence, 'AttestationEvidenceParams'));

const Did = Type.String({
  pattern: DID_PATTERN,
  description: 'did:svc: and 1 to 128 hex digits',
  examples: [did],
});

export const ChallengeBody = strictObject({ did: Did }, 'AttestationChallengeParams');
export const ChallengeReply = strictObject({
  challenge: exampleText(secrets.attestationChallenge, '48 bytes in base64url, valid once'),
  expiresAt: timestamp(times.in5Minutes),
});

export const Challenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{64}$',
  description: '48 bytes in base64url',
  examples: [secrets.attestationChallenge],
});

export const KeyQuery = strictObject({ did: Did });
const Key = strictObject(
  {
    id: uuid(ids.attestationKey),
    did: exampleText(did),
    platform: Type.Enum(['webauthn']),
    level: withExample(2, Type.Integer({ minimum: 2, maximum: 4 })),
    appId: exampleText('id.example.com', 'The host of the page that the passkey works on.'),
    isSynced: flag(true, 'Whether it may be on several devices of the person.'),
    evidenceHash: exampleText(hash),
    createdAt: Timestamp,
    lastUsedAt: Nullable(timestamp(times.done)),
    revokedAt: withExample(null, Nullable(Type.String({ format: 'date-time' }))),
  },
  'AttestationKey',
);
export const KeyReply = strictObject({ attestationKey: Key });
/** What `svc attestation verify` reads. */
export const EvidenceReply = strictObject({
  attestationEvidence: strictObject(
    {
      attestationKeyId: uuid(ids.attestationKey),
      did: exampleText(did),
      platform: Type.Enum(['webauthn']),
      tenantId: uuid(ids.tenant),
      environment: Environment,
      origin: exampleText('https://id.example.com', 'Of the page that the passkey was made on.'),
      challenge: exampleText(
        secrets.attestationChallenge,
        'Of the enrolment, or `challenge_nonce` of the registration.',
      ),
      // Responses have schemas of their own.
      evidence: strictObject({ ...creation, assertion: strictObject(assertion) }),
      evidenceHash: exampleText(hash),
      enrolledAt: Timestamp,
      keptUntil: timestamp(times.nextYear),
    },
    'KeptAttestationEvidence',
  ),
});
export const KeyList = strictObject({ attestationKeys: Type.Array(Key), environment: Environment });
