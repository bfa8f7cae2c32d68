import { console, route } from '../../../http/route.js';
import { EnvironmentQuery } from '../../../records/schema.js';
import {
  clientList,
  createClient,
  deleteClient,
  findClient,
  rotateSecret,
  serializeClient,
  updateClient,
} from './clients.js';
import * as schema from './clients.schema.js';

const params = { clientId: 'oidc_client_not_found' } as const;

const CREATE =
  'Redirect URIs are compared exactly: `https:`, `http:` on a loopback address, and for `native` also a scheme with a dot such as ' +
  '`com.example.app:/callback`. A `device` has none. `clientSecret` is shown once, and only to clients with `client_secret_basic` or ' +
  '`client_secret_post`; `private_key_jwt` needs `jwks` with public keys. `spa` has only `none`; `native` has `none` or `private_key_jwt`. With ' +
  '`pairwise`, all redirect URIs have one host, and people have other subjects at other hosts. The first client of an environment also creates ' +
  'the `issuer` and its keys.';
const UPDATE =
  'Fields that are left out stay. The type, the authentication, the kind of subject, and the host of a pairwise client cannot be changed.';
const DELETE = 'Also ends all sign-ins to this client. Their codes and tokens are no longer valid.';
const ROTATE =
  'Until the grace ends, both secrets are valid. A secret before the previous one is no longer valid. Returns 400 for a client without a secret.';

export const oidcClientsConsole = [
  route({
    operationId: 'consoleCreateOidcClient',
    method: 'POST',
    path: '/api/console/oidc/clients',
    summary: 'Create an OpenID client',
    description: CREATE,
    auth: console({ role: 'developer' }),
    acts: ['change_application'],
    schemas: { query: EnvironmentQuery, body: schema.CreateBody },
    replies: { 201: schema.CreatedReply },
    errors: ['oidc_client_limit_reached'],
    secret: true,
    async handler(context) {
      const { client, secret } = await createClient(context);
      return { client: serializeClient(context, client), ...(secret && { clientSecret: secret }) };
    },
  }),
  route({
    operationId: 'consoleListOidcClients',
    method: 'GET',
    path: '/api/console/oidc/clients',
    summary: 'List OpenID clients, newest first',
    auth: console({ role: 'auditor' }),
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.ListReply },
    compress: true,
    handler: clientList,
  }),
  route({
    operationId: 'consoleGetOidcClient',
    method: 'GET',
    path: '/api/console/oidc/clients/:clientId',
    summary: 'Get an OpenID client',
    auth: console({ role: 'auditor' }),
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.ClientReply },
    handler: async (context) => ({
      client: serializeClient(context, await findClient(context.read, context.params.clientId)),
    }),
  }),
  route({
    operationId: 'consoleUpdateOidcClient',
    method: 'PATCH',
    path: '/api/console/oidc/clients/:clientId',
    summary: 'Change an OpenID client',
    description: UPDATE,
    auth: console({ role: 'developer' }),
    acts: ['change_application'],
    schemas: { params, query: EnvironmentQuery, body: schema.PatchBody },
    replies: { 200: schema.ClientReply },
    handler: async (context) => ({
      client: serializeClient(context, await updateClient(context, context.params.clientId, context.body)),
    }),
  }),
  route({
    operationId: 'consoleDeleteOidcClient',
    method: 'DELETE',
    path: '/api/console/oidc/clients/:clientId',
    summary: 'Delete an OpenID client',
    description: DELETE,
    auth: console({ role: 'developer' }),
    acts: ['change_application'],
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.DeletedReply },
    async handler(context) {
      await deleteClient(context, context.params.clientId);
      return { deleted: true };
    },
  }),
  route({
    operationId: 'consoleRotateOidcClientSecret',
    method: 'POST',
    path: '/api/console/oidc/clients/:clientId/rotate-secret',
    summary: 'Replace the secret of an OpenID client',
    description: ROTATE,
    auth: console({ role: 'developer' }),
    acts: ['change_application'],
    schemas: { params, query: EnvironmentQuery, body: schema.RotateBody },
    replies: { 200: schema.SecretReply },
    secret: true,
    handler: async (context) => ({
      clientSecret: await rotateSecret(context, context.params.clientId, context.body),
    }),
  }),
];
