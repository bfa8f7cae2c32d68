import { formerPhonePath, key, open, route } from '../../http/route.js';
import { callerOf, claimErrors, phoneOf } from '../proofs/proofs.js';
import { addIdentity } from './add.js';
import * as schema from './phone.schema.js';
import { listByPhone, revokeByPhone } from './phones.js';
import { rotateIdentity } from './rotate.js';

/** Many phones can share an address. */
const limit = (name: string) => ({ name: `phone-identity-${name}`, max: 600, windowSeconds: 60 });
const description =
  'The proof is the credential. A phone names its account, and an unknown account returns the same 401 as a wrong proof.';
const withoutKey =
  'A phone calls it without an API key and names its account. An unknown account returns the same 401 as a wrong proof.';

const add = route({
  operationId: 'addIdentity',
  method: 'POST',
  path: '/v1/identity/add',
  summary: 'Add an identity to the person of another, proved by both',
  description: withoutKey,
  auth: key('zkp:verify', { phone: true }),
  acts: [{ act: 'add_phone', by: 'proof' }],
  limit: limit('add'),
  schemas: { body: schema.AddBody },
  replies: { 201: schema.AddReply },
  errors: schema.addErrors,
  secret: true,
  handler: async (context) => addIdentity(await callerOf(context), context.body),
});

const rotate = route({
  operationId: 'rotateIdentity',
  method: 'POST',
  path: '/v1/identity/rotate',
  summary: 'Replace an identity’s commitment, proved by the old and the new secret',
  description: `Ends all sessions and sign-ins of the identity and opens a new session. ${withoutKey}`,
  auth: key('zkp:verify', { phone: true }),
  limit: limit('rotate'),
  schemas: { body: schema.RotateBody },
  replies: { 200: schema.RotateReply },
  errors: schema.rotateErrors,
  secret: true,
  handler: async (context) => rotateIdentity(await callerOf(context), context.body),
});

export const phonesV1 = [add, rotate];

/** The phone's own endpoints, without an API key. */
export const identitiesPhone = [
  formerPhonePath(add, 'addPhoneIdentity'),
  formerPhonePath(rotate, 'rotatePhoneIdentity'),
  route({
    operationId: 'revokePhoneIdentity',
    method: 'POST',
    path: '/v1/phone/identity/revoke',
    summary: 'Revoke an identity of the phone’s person, or the phone’s own',
    description: `\`revoke\` is the DID to revoke, and the proof is bound to it. ${description}`,
    auth: open,
    acts: [
      { act: 'revoke_identity', by: 'proof' },
      { act: 'end_recovery', by: 'proof' },
    ],
    limit: limit('revoke'),
    schemas: { body: schema.PhoneRevokeBody },
    replies: { 200: schema.PhoneRevokeReply },
    errors: claimErrors,
    handler: async (context) => revokeByPhone(await phoneOf(context, context.body), context.body),
  }),
  route({
    operationId: 'listPhoneIdentities',
    method: 'POST',
    path: '/v1/phone/identity/list',
    summary: 'List the identities and recoveries of the phone’s person',
    description: `A revoked identity that may still contest a recovery gets the recoveries only. The nonce is not spent. ${description}`,
    auth: open,
    limit: limit('list'),
    schemas: { body: schema.PhoneListBody },
    replies: { 200: schema.PhoneListReply },
    errors: claimErrors,
    noStore: true,
    handler: async (context) => listByPhone(await phoneOf(context, context.body), context.body),
  }),
];
