import { key, route } from '../../http/route.js';
import { appWithKey } from '../identities/identities.js';
import * as schema from './attestation.schema.js';
import { issueChallenge } from './challenges.js';
import { enrolKey } from './enrol.js';
import { EnrolBody } from './enrol.schema.js';
import { readEvidence } from './evidence.js';
import { listKeys, revokeKey } from './keys.js';

/** The errors of enrolling a key. */
export const enrolErrors = [
  'attestation_malformed',
  'attestation_refused',
  'attestation_key_taken',
  'identity_changed',
  'chain_unavailable',
] as const;

export const attestationV1 = [
  route({
    operationId: 'createAttestationChallenge',
    method: 'POST',
    path: '/v1/attestation/challenges',
    summary: 'Create the challenge that a phone enrols its attestation key with',
    description: 'Nothing is looked up, so the response says nothing about the DID.',
    auth: key('proof_pairing:claim'),
    schemas: { body: schema.ChallengeBody },
    replies: { 201: schema.ChallengeReply },
    noStore: true,
    handler: async ({ deps, scope, body }) => issueChallenge(deps, { scope, did: body.did }),
  }),
  route({
    operationId: 'createAttestationKey',
    method: 'POST',
    path: '/v1/attestation/keys',
    summary: 'Enrol the attestation key of a phone, proved by its identity',
    description:
      'An identity has one key. Another one needs `attestation`, an assertion by the first, or an API key with `zkp:register`, and replaces it.',
    auth: key('proof_pairing:claim'),
    keysOnce: true,
    schemas: { body: EnrolBody },
    replies: { 201: schema.KeyReply },
    errors: enrolErrors,
    handler: (context) =>
      enrolKey(
        {
          ...appWithKey(context),
          mayReplace: context.principal.scopes.includes('zkp:register'),
          deps: context.deps,
        },
        context.body,
      ),
  }),
  route({
    operationId: 'listAttestationKeys',
    method: 'GET',
    path: '/v1/attestation/keys',
    summary: 'List the attestation keys of an identity, newest first',
    auth: key('zkp:register', { console: { role: 'auditor' } }),
    schemas: { query: schema.KeyQuery },
    replies: { 200: schema.KeyList },
    handler: (context) => listKeys(context, context.query.did),
  }),
  route({
    operationId: 'getAttestationKeyEvidence',
    method: 'GET',
    path: '/v1/attestation/keys/:id/evidence',
    summary: 'Get the evidence that an attestation key was enrolled with',
    description:
      'Kept for 30 days. `svc attestation verify` checks it offline. `evidenceHash` of the key stays.',
    auth: key('zkp:register', { console: { role: 'auditor' } }),
    schemas: { params: { id: 'attestation_key_not_found' } },
    replies: { 200: schema.EvidenceReply },
    errors: ['attestation_evidence_not_found'],
    noStore: true,
    handler: (context) => readEvidence(context, context.params.id),
  }),
  route({
    operationId: 'revokeAttestationKey',
    method: 'DELETE',
    path: '/v1/attestation/keys/:id',
    summary: 'Revoke an attestation key',
    description: 'The identity stays in force and can enrol another key by a proof.',
    auth: key('zkp:register', { console: { role: 'developer' } }),
    acts: ['revoke_attestation'],
    schemas: { params: { id: 'attestation_key_not_found' } },
    replies: { 200: schema.KeyReply },
    handler: (context) => revokeKey(context, context.params.id),
  }),
];
