import { key, route } from '../../http/route.js';
import { TokensReply } from '../sessions/sessions.js';
import {
  findIdentity,
  registerIdentity,
  revokeIdentity,
  serializeRegistered,
  serializeRevoked,
  verifyIdentity,
} from './identities.js';
import * as schema from './identities.schema.js';

export const identitiesV1 = [
  route({
    operationId: 'registerIdentity',
    method: 'POST',
    path: '/v1/identity/register',
    summary: 'Register a DID and its commitment',
    auth: key('zkp:register'),
    schemas: { body: schema.RegisterBody },
    replies: { 201: schema.RegisterReply },
    errors: ['did_already_registered', 'commitment_already_registered', 'external_id_conflict'],
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
    errors: ['verification_failed', 'chain_unavailable'],
    secret: true,
    handler: (context) => verifyIdentity(context, context.body),
  }),
  route({
    operationId: 'revokeIdentity',
    method: 'POST',
    path: '/v1/identity/revoke',
    summary: 'Revoke an identity and end its sessions',
    auth: key('zkp:register', { console: { role: 'developer', stepUp: false } }),
    schemas: { body: schema.RevokeBody },
    replies: { 200: schema.RevokeReply },
    errors: ['identity_not_found'],
    handler: async (context) => ({
      identity: serializeRevoked(await revokeIdentity(context, context.body.did)),
    }),
  }),
];
