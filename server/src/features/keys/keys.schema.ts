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

const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

const Scope = Type.Enum([...SCOPES]);
const scopes: (typeof SCOPES)[number][] = ['devices:read', 'devices:write', 'zkp:verify'];
const networks = ['192.0.2.0/24', '2001:db8:12::/48'];
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
  allowedCidrs: withExample(networks, Type.Array(Type.String())),
  lastUsedNetwork: Nullable(exampleText('192.0.2.0/24')),
  replacedBy: withExample(null, Nullable(Type.String({ format: 'uuid' }))),
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

export const RotateKeyBody = strictObject(
  {
    graceSeconds: withExample(
      86_400,
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_SECONDS,
        description: 'How long the old key still works. 0: it ends immediately.',
      }),
    ),
  },
  'ApiKeyRotateParams',
);

export const UpdateKeyBody = Type.Unsafe<{ name?: string; allowedCidrs?: string[] }>({
  ...strictObject(
    {
      name: Type.Optional(withExample('Turnstiles', Text(100))),
      allowedCidrs: Type.Optional(
        withExample(
          networks,
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 20,
            description:
              'Addresses and networks in CIDR notation. Empty: the key can be used from everywhere.',
          }),
        ),
      ),
    },
    'ApiKeyUpdateParams',
  ),
  minProperties: 1,
});

export const UpdatedKeyReply = strictObject({
  apiKey: ApiKey,
  warning: Type.Optional(
    exampleText(
      'Your own address, 198.51.100.7, is not in these networks.',
      'Present if the address that the request came from is not in the new list.',
    ),
  ),
});
