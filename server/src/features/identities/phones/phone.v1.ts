import { open, route } from '../../../http/route.js';
import { addIdentity } from './add.js';
import { listByPhone, revokeByPhone } from './own-phones.js';
import * as schema from './phone.schema.js';
import { phoneOf } from './phone-proofs.js';
import { rotateIdentity } from './rotate.js';

/** Many phones can share an address. */
const limit = (name: string) => ({ name: `phone-identity-${name}`, max: 600, windowSeconds: 60 });
const description =
  'The proof is the credential. A phone names its account, and an unknown account returns the same 401 as a wrong proof.';

/** The phone's own endpoints, without an API key. */
export const identitiesPhone = [
  route({
    operationId: 'addPhoneIdentity',
    method: 'POST',
    path: '/v1/phone/identity/add',
    summary: 'Add another phone of the same person, as a phone without an API key',
    description: `Like \`/v1/identity/add\`. ${description}`,
    auth: open,
    acts: [{ act: 'add_phone', by: 'proof' }],
    limit: limit('add'),
    schemas: { body: schema.PhoneAddBody },
    replies: { 201: schema.AddReply },
    errors: schema.addErrors,
    secret: true,
    handler: async (context) => addIdentity(await phoneOf(context, context.body), context.body),
  }),
  route({
    operationId: 'rotatePhoneIdentity',
    method: 'POST',
    path: '/v1/phone/identity/rotate',
    summary: 'Replace an identity’s commitment, as a phone without an API key',
    description: `Like \`/v1/identity/rotate\`. ${description}`,
    auth: open,
    limit: limit('rotate'),
    schemas: { body: schema.PhoneRotateBody },
    replies: { 200: schema.RotateReply },
    errors: schema.rotateErrors,
    secret: true,
    handler: async (context) => rotateIdentity(await phoneOf(context, context.body), context.body),
  }),
  route({
    operationId: 'revokePhoneIdentity',
    method: 'POST',
    path: '/v1/phone/identity/revoke',
    summary: 'Revoke an identity of the phone’s person, or the phone’s own',
    description: `\`revoke\` is the DID to revoke, and the proof is bound to it. ${description}`,
    auth: open,
    acts: [{ act: 'revoke_identity', by: 'proof' }],
    limit: limit('revoke'),
    schemas: { body: schema.PhoneRevokeBody },
    replies: { 200: schema.PhoneRevokeReply },
    errors: schema.claimErrors,
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
    errors: schema.claimErrors,
    noStore: true,
    handler: async (context) => listByPhone(await phoneOf(context, context.body), context.body),
  }),
];
