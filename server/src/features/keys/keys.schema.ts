import Type from 'typebox';
import { closed, Environment, Nullable, Text, Timestamp, Uuid } from '../../kernel/schema.js';
import { SCOPES } from '../../model/scopes.js';

const fields = {
  id: Uuid,
  name: Type.String(),
  prefix: Type.String({ examples: ['svc_live_1f3a9c0'] }),
  environment: Environment,
  scopes: Type.Array(Type.Enum([...SCOPES])),
  status: Type.Enum(['active', 'revoked', 'expired']),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
};

const ApiKey = closed(fields, 'ApiKey');
export const KeyReply = closed({ apiKey: ApiKey });
export const KeyListReply = closed({ keys: Type.Array(ApiKey) });

/** With the raw key, which is shown this once. */
export const CreatedKeyReply = closed({
  apiKey: closed({ ...fields, key: Type.String(), warning: Type.String() }, 'CreatedApiKey'),
});

export const CreateKeyBody = closed({
  name: Text(100),
  environment: Environment,
  scopes: Type.Optional(Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length })),
  expiresAt: Type.Optional(Timestamp),
});
