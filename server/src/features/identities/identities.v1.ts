import { key, route } from '../../http/route.js';
import { DID_PATTERN } from '../../model/did.js';
import { did } from '../../model/example-fixtures.js';
import { TokensReply } from '../sessions/sessions.js';
import { resolveDid } from './document.js';
import {
  findIdentity,
  registerIdentity,
  revokeIdentity,
  serializeRegistered,
  serializeRevoked,
} from './identities.js';
import * as schema from './identities.schema.js';
import { listOfUser } from './persons.js';
import * as persons from './persons.schema.js';
import { verifyIdentity } from './verify.js';

export const identitiesV1 = [
  route({
    operationId: 'registerIdentity',
    method: 'POST',
    path: '/v1/identity/register',
    summary: 'Register a DID and its commitment',
    auth: key('zkp:register'),
    acts: [{ act: 'add_phone', by: 'record' }],
    schemas: { body: schema.RegisterBody },
    replies: { 201: schema.RegisterReply },
    errors: [
      // A repeated request whose person was erased since.
      'identity_not_found',
      'did_already_registered',
      'commitment_already_registered',
      'external_id_conflict',
      'recovery_required',
    ],
    async handler(context) {
      const { write, deps, principal, body } = context;
      const row = await write('identity.register', (w) => registerIdentity(w, deps, principal, body));
      return serializeRegistered(context, row);
    },
    replay: async (context, id) => serializeRegistered(context, await findIdentity(context.read, id)),
  }),
  route({
    operationId: 'verifyIdentity',
    method: 'POST',
    path: '/v1/identity/verify',
    summary: 'Verify a proof against a registered identity and open a session',
    auth: key('zkp:verify'),
    schemas: { body: schema.VerifyBody },
    replies: { 200: TokensReply },
    errors: [
      'verification_failed',
      'device_attestation_required',
      'device_attestation_insufficient',
      'chain_unavailable',
    ],
    secret: true,
    handler: (context) => verifyIdentity(context, context.body),
  }),
  route({
    operationId: 'getIdentityDocument',
    method: 'GET',
    path: '/v1/identity/:did/document',
    summary: 'Resolve a DID to its document',
    description: 'The result of DID Resolution (W3C). Its versions are the rotations of the identity.',
    auth: key('identity:read'),
    schemas: {
      params: { did: 'identity_not_found' },
      forms: { did: { pattern: new RegExp(DID_PATTERN), example: did } },
    },
    replies: { 200: persons.DocumentReply },
    handler: ({ read, deps, params }) => resolveDid(read, deps, params.did),
  }),
  route({
    operationId: 'listUserIdentities',
    method: 'GET',
    path: '/v1/users/:userId/identities',
    summary: 'List the identities of a user, newest first',
    description: 'An identity of a pending recovery is not in the list.',
    auth: key('users:read', { console: { role: 'member' } }),
    schemas: { params: { userId: 'user_not_found' }, query: persons.UserIdentitiesQuery },
    replies: { 200: persons.UserIdentityList },
    compress: true,
    handler: (context) => listOfUser(context, context.params.userId),
  }),
  route({
    operationId: 'revokeIdentity',
    method: 'POST',
    path: '/v1/identity/revoke',
    summary: 'Revoke an identity and end its sessions',
    auth: key('zkp:register', { console: { role: 'reception' } }),
    acts: ['revoke_identity', { act: 'end_recovery', by: 'record' }],
    schemas: { body: schema.RevokeBody },
    replies: { 200: schema.RevokeReply },
    errors: ['identity_not_found'],
    async handler(context) {
      const { principal, body } = context;
      const keyId = 'keyId' in principal ? principal.keyId : null;
      return { identity: serializeRevoked(await revokeIdentity(context, { did: body.did, keyId })) };
    },
  }),
];
