import Type from 'typebox';
import { ids, secrets, times } from '../../model/example-fixtures.js';
import { SCOPES } from '../../model/scopes.js';
import {
  Environment,
  exampleText,
  NextCursor,
  Nullable,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const Scope = Type.Enum([...SCOPES]);
const scopes: (typeof SCOPES)[number][] = ['devices:read', 'devices:write', 'zkp:verify'];
const ExpiresAt = timestamp(times.nextYear);

const fields = {
  id: uuid(ids.apiKey),
  name: exampleText('Turnstiles'),
  prefix: exampleText(secrets.apiKeyPrefix),
  environment: Environment,
  scopes: withExample(scopes, Type.Array(Scope)),
  status: Type.Enum(['active', 'revoked', 'expired']),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  revokedAt: withExample(null, Nullable(Timestamp)),
  expiresAt: Nullable(ExpiresAt),
};

const ApiKey = strictObject(fields, 'ApiKey');
export const KeyReply = strictObject({ apiKey: ApiKey });
export const KeyListReply = strictObject({ keys: Type.Array(ApiKey), nextCursor: NextCursor }, 'ApiKeyPage');
export const ListKeysQuery = strictObject(paging);

/** With the raw key, which is returned only here. */
export const CreatedKeyReply = strictObject({
  apiKey: strictObject(
    {
      ...fields,
      key: exampleText(secrets.apiKey),
      warning: exampleText('Store this key now: it is shown this once and cannot be recovered.'),
    },
    'CreatedApiKey',
  ),
});

export const CreateKeyBody = strictObject(
  {
    name: withExample('Turnstiles', Text(100)),
    environment: Environment,
    scopes: Type.Optional(withExample(scopes, Type.Array(Scope, { minItems: 1, maxItems: SCOPES.length }))),
    expiresAt: Type.Optional(ExpiresAt),
  },
  'ApiKeyCreateParams',
);
