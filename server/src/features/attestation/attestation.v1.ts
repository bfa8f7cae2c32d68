import { formerPhonePath, key, route } from '../../http/route.js';
import { accountOf, callerOf } from '../proofs/proofs.js';
import * as schema from './attestation.schema.js';
import { issueChallenge } from './challenges.js';
import { enrolKey } from './enrol.js';
import { EnrolBody } from './enrol.schema.js';
import { readEvidence } from './evidence.js';
import { listKeys, revokeKey } from './keys.js';

/** Many phones can share an address. */
const limit = (name: string) => ({ name: `phone-attestation-${name}`, max: 600, windowSeconds: 60 });
const withoutKey = 'A phone calls it without an API key and names its account.';

const createChallenge = route({
  operationId: 'createAttestationChallenge',
  method: 'POST',
  path: '/v1/attestation/challenges',
  summary: 'Create the challenge that a phone enrols its attestation key with',
  description: `Nothing is looked up, so the response says nothing about the DID and the account. ${withoutKey}`,
  auth: key('proof_pairing:claim', { phone: true }),
  limit: limit('challenges'),
  schemas: { body: schema.ChallengeBody },
  replies: { 201: schema.ChallengeReply },
  noStore: true,
  handler: async (context) =>
    issueChallenge(context.deps, { scope: accountOf(context), did: context.body.did }),
});

const createKey = route({
  operationId: 'createAttestationKey',
  method: 'POST',
  path: '/v1/attestation/keys',
  summary: 'Enrol the attestation key of a phone, proved by its identity',
  description: `An identity has one key. Another one needs \`attestation\`, an assertion by the first, or an API key with \`zkp:register\`, and replaces it. ${withoutKey} An unknown account returns the same 401 as a wrong proof.`,
  auth: key('proof_pairing:claim', { phone: true }),
  limit: limit('keys'),
  keysOnce: true,
  schemas: { body: EnrolBody },
  replies: { 201: schema.KeyReply },
  errors: [
    'attestation_malformed',
    'attestation_refused',
    'attestation_key_taken',
    'identity_changed',
    'chain_unavailable',
  ],
  async handler(context) {
    const mayReplace = context.principal?.scopes.includes('zkp:register') ?? false;
    return enrolKey({ ...(await callerOf(context)), mayReplace, deps: context.deps }, context.body);
  },
});

export const attestationV1 = [
  createChallenge,
  createKey,
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
  formerPhonePath(createChallenge, 'createPhoneAttestationChallenge'),
  formerPhonePath(createKey, 'createPhoneAttestationKey'),
];
