import { open, route } from '../../http/route.js';
import { phoneOf } from '../identities/identities.js';
import * as schema from './attestation.schema.js';
import { enrolErrors } from './attestation.v1.js';
import { issueChallenge } from './challenges.js';
import { enrolKey } from './enrol.js';
import { PhoneEnrolBody } from './enrol.schema.js';

/** Many phones can share an address. */
const limit = (name: string) => ({ name: `phone-attestation-${name}`, max: 600, windowSeconds: 60 });

/** What a phone does without an API key. */
export const attestationPhone = [
  route({
    operationId: 'createPhoneAttestationChallenge',
    method: 'POST',
    path: '/v1/phone/attestation/challenges',
    summary: 'Create that challenge, as a phone without an API key',
    description: 'Like `/v1/attestation/challenges`, also for an account that does not exist.',
    auth: open,
    limit: limit('challenges'),
    schemas: { body: schema.PhoneChallengeBody },
    replies: { 201: schema.ChallengeReply },
    noStore: true,
    async handler({ deps, body }) {
      const { tenantId, environment, did } = body;
      return issueChallenge(deps, { scope: { tenantId: tenantId.toLowerCase(), environment }, did });
    },
  }),
  route({
    operationId: 'createPhoneAttestationKey',
    method: 'POST',
    path: '/v1/phone/attestation/keys',
    summary: 'Enrol the attestation key of a phone, as a phone without an API key',
    description:
      'Like `/v1/attestation/keys`. The proof is the credential. An unknown account returns the same 401 as a wrong proof.',
    auth: open,
    limit: limit('keys'),
    keysOnce: true,
    schemas: { body: PhoneEnrolBody },
    replies: { 201: schema.KeyReply },
    errors: enrolErrors,
    handler: async (context) =>
      enrolKey(
        { ...(await phoneOf(context, context.body)), mayReplace: false, deps: context.deps },
        context.body,
      ),
  }),
];
