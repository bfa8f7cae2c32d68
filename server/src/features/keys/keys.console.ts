import type { ConsolePrincipal } from '../../http/principal.js';
import { console, route } from '../../http/route.js';
import type { TenantWrite } from '../../ledger/write.js';
import { type NoticeContext, warnOwners } from '../accounts/accounts.js';
import { updateKey } from './changes.js';
import { type CreatedKey, createKey, isOwnersKey, keyList, revokeKey, serializeKey } from './keys.js';
import {
  CreatedKeyReply,
  CreateKeyBody,
  KeyListReply,
  KeyReply,
  ListKeysQuery,
  RotateKeyBody,
  UpdatedKeyReply,
  UpdateKeyBody,
} from './keys.schema.js';
import { rotateKey } from './rotation.js';

export const keysConsole = [
  route({
    operationId: 'consoleListApiKeys',
    method: 'GET',
    path: '/api/console/keys',
    summary: 'List all keys of the account: active ones first, then newest first',
    auth: console({ role: 'auditor' }),
    schemas: { query: ListKeysQuery },
    replies: { 200: KeyListReply },
    compress: true,
    handler: (context) => keyList(context),
  }),
  route({
    operationId: 'consoleCreateApiKey',
    method: 'POST',
    path: '/api/console/keys',
    summary: 'Create a key and return its raw value, only this once',
    auth: console({ role: 'developer' }),
    acts: ['change_key', { act: 'change_owner_key', if: ({ scopes }) => isOwnersKey(scopes ?? []) }],
    schemas: { body: CreateKeyBody },
    replies: { 201: CreatedKeyReply },
    errors: ['api_key_limit_reached'],
    secret: true,
    async handler(context) {
      const { deps, scope, actor, writeIn, body } = context;
      const target = { tenantId: scope.tenantId, environment: body.environment };
      const create = (w: TenantWrite) => createKey(w, deps, body);
      const apiKey = await writeIn(target, actor, 'api_key.created', create, 'tenant');
      warnOfKey(context, apiKey, 'made a new API key');
      return { apiKey };
    },
  }),
  route({
    operationId: 'consoleUpdateApiKey',
    method: 'PATCH',
    path: '/api/console/keys/:keyId',
    summary: 'Rename a key, or limit it to networks',
    description:
      'At least one field. Networks apply immediately and on every node: other addresses get 403 `address_not_allowed`. A non-empty list returns 400 if the server trusts no proxy and the request came from a loopback or private address, because then all clients may have that address.',
    auth: console({ role: 'developer' }),
    acts: ['change_key', { act: 'change_owner_key', by: 'record' }],
    schemas: { params: { keyId: 'api_key_not_found' }, body: UpdateKeyBody },
    replies: { 200: UpdatedKeyReply },
    errors: ['api_key_not_active'],
    async handler({ deps, scope, actor, principal, ip, writeIn, params, body }) {
      const caller = { tenantId: scope.tenantId, ip, principal };
      return updateKey(deps, caller, params.keyId, body, (environment, work) =>
        writeIn({ ...scope, environment }, actor, 'api_key.updated', work),
      );
    },
  }),
  route({
    operationId: 'consoleRotateApiKey',
    method: 'POST',
    path: '/api/console/keys/:keyId/rotate',
    summary: 'Replace a key by a new one, which is returned only this once',
    description:
      'The new key has the name, environment, scopes, networks and `expiresAt` of the old one. The old one ends after `graceSeconds`, or earlier if it had an earlier `expiresAt`. Until then both work, and only the new one counts among the ten. A key that the old one had replaced ends immediately.',
    auth: console({ role: 'developer' }),
    acts: ['change_key', { act: 'change_owner_key', by: 'record' }],
    schemas: { params: { keyId: 'api_key_not_found' }, body: RotateKeyBody },
    replies: { 201: CreatedKeyReply },
    errors: ['api_key_not_active'],
    secret: true,
    async handler(context) {
      const { deps, scope, actor, principal, writeIn, params, body } = context;
      const apiKey = await rotateKey(deps, principal, params.keyId, body.graceSeconds, (environment, work) =>
        writeIn({ ...scope, environment }, actor, 'api_key.rotated', work, 'tenant'),
      );
      warnOfKey(context, apiKey, 'replaced an API key by a new one');
      return { apiKey };
    },
  }),
  route({
    operationId: 'consoleRevokeApiKey',
    method: 'DELETE',
    path: '/api/console/keys/:keyId',
    summary: 'Revoke a key immediately and permanently',
    auth: console({ role: 'developer' }),
    acts: ['change_key', { act: 'change_owner_key', by: 'record' }],
    schemas: { params: { keyId: 'api_key_not_found' } },
    replies: { 200: KeyReply },
    async handler({ deps, scope, actor, principal, writeIn, params }) {
      const caller = { tenantId: scope.tenantId, principal };
      const row = await revokeKey(deps, caller, params.keyId, (environment, work) =>
        writeIn({ ...scope, environment }, actor, 'api_key.revoked', work),
      );
      return { apiKey: serializeKey(row, deps.clock.now()) };
    },
  }),
];

/** Tells the owners of a key that can be used from now on. */
function warnOfKey(
  context: NoticeContext & { readonly principal: ConsolePrincipal },
  { environment, prefix }: CreatedKey,
  did: string,
): void {
  const { tenant, member } = context.principal;
  warnOwners(context, tenant.id, {
    subject: `a new API key (${environment})`,
    what: `${member.email} ${did} for the ${environment} environment. It begins with ${prefix}.`,
    advice: 'revoke the key, and ask who made it.',
  });
}
