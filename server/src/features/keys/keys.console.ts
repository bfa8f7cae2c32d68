import { console, route } from '../../http/route.js';
import type { TenantWrite } from '../../ledger/write.js';
import { createKey, keyList, revokeKey, serializeKey } from './keys.js';
import { CreatedKeyReply, CreateKeyBody, KeyListReply, KeyReply, ListKeysQuery } from './keys.schema.js';

export const keysConsole = [
  route({
    operationId: 'consoleListApiKeys',
    method: 'GET',
    path: '/api/console/keys',
    summary: 'List all keys of the account: active ones first, then newest first',
    auth: console,
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
    auth: console,
    schemas: { body: CreateKeyBody },
    replies: { 201: CreatedKeyReply },
    errors: ['api_key_limit_reached'],
    secret: true,
    async handler({ deps, scope, principal, writeIn, body }) {
      const target = { tenantId: scope.tenantId, environment: body.environment };
      const actor = { type: 'console', id: principal.tenant.id } as const;
      const create = (w: TenantWrite) => createKey(w, deps, body);
      return { apiKey: await writeIn(target, actor, 'api_key.created', create, 'tenant') };
    },
  }),
  route({
    operationId: 'consoleRevokeApiKey',
    method: 'DELETE',
    path: '/api/console/keys/:keyId',
    summary: 'Revoke a key immediately and permanently',
    auth: console,
    schemas: { params: { keyId: 'api_key_not_found' } },
    replies: { 200: KeyReply },
    async handler({ deps, scope, principal, writeIn, params }) {
      const actor = { type: 'console', id: principal.tenant.id } as const;
      const row = await revokeKey(deps, scope.tenantId, params.keyId, (environment, work) =>
        writeIn({ ...scope, environment }, actor, 'api_key.revoked', work),
      );
      return { apiKey: serializeKey(row, deps.clock.now()) };
    },
  }),
];
