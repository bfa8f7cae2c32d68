import Type from 'typebox';
import {
  closed,
  Environment,
  like,
  NextCursor,
  Nullable,
  paging,
  shown,
  Text,
  Timestamp,
  timestamp,
  uuid,
} from '../../http/schema.js';
import { SCOPES } from '../../model/scopes.js';
import { ids, secrets, times } from '../../model/story.js';

const Scope = Type.Enum([...SCOPES]);
const scopes: (typeof SCOPES)[number][] = ['devices:read', 'devices:write', 'zkp:verify'];
const ExpiresAt = timestamp(times.nextYear);

const fields = {
  id: uuid(ids.apiKey),
  name: shown('Turnstiles'),
  prefix: shown(secrets.apiKeyPrefix),
  environment: Environment,
  scopes: like(scopes, Type.Array(Scope)),
  status: Type.Enum(['active', 'revoked', 'expired']),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  revokedAt: like(null, Nullable(Timestamp)),
  expiresAt: Nullable(ExpiresAt),
};

const ApiKey = closed(fields, 'ApiKey');
export const KeyReply = closed({ apiKey: ApiKey });
export const KeyListReply = closed({ keys: Type.Array(ApiKey), nextCursor: NextCursor }, 'ApiKeyPage');
export const ListKeysQuery = closed(paging);

/** With the raw key, which is shown this once. */
export const CreatedKeyReply = closed({
  apiKey: closed(
    {
      ...fields,
      key: shown(secrets.apiKey),
      warning: shown('Store this key now: it is shown this once and cannot be recovered.'),
    },
    'CreatedApiKey',
  ),
});

export const CreateKeyBody = closed(
  {
    name: like('Turnstiles', Text(100)),
    environment: Environment,
    scopes: Type.Optional(like(scopes, Type.Array(Scope, { minItems: 1, maxItems: SCOPES.length }))),
    expiresAt: Type.Optional(ExpiresAt),
  },
  'ApiKeyCreateParams',
);
