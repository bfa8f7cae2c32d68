import Type, { type TSchema } from 'typebox';
import { ids, secrets } from '../../../model/example-fixtures.js';
import {
  exampleText,
  flag,
  forConsole,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { KEY_ALGS } from '../keys/keys.store.js';
import { type ClaimsInput, STANDARD_CLAIMS } from './claims.js';

export const TYPES = ['web', 'spa', 'native', 'device'] as const;
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export const SUBJECT_TYPES = ['pairwise', 'public'] as const;

/** One week. */
const MAX_GRACE_SECONDS = 604_800;

const Name = withExample('Northwind Portal', Text(100));
const Uris = (example: string) =>
  withExample(
    [example],
    Type.Array(Type.String({ minLength: 1, maxLength: 2_048, examples: [example] }), { maxItems: 20 }),
  );
const RedirectUris = Uris('https://app.example.com/callback');
const PostLogoutRedirectUris = Uris('https://app.example.com/goodbye');
const BackchannelLogoutUri = Nullable(
  withExample('https://app.example.com/backchannel-logout', Type.String({ minLength: 1, maxLength: 2_048 })),
);
/** Null in the examples, whose client has a secret. */
const jwksOf = <T extends TSchema>(jwk: T) =>
  withExample(null, Nullable(strictObject({ keys: Type.Array(jwk, { minItems: 1, maxItems: 10 }) })));
/** Members that say nothing about signatures are dropped. */
const NewJwks = jwksOf(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    'x-free-form': true,
    description: 'A public key as a JSON Web Key (RFC 7517): EC, RSA or Ed25519.',
  }),
);
const member = Type.Optional(Type.String());
const Jwks = jwksOf(
  strictObject({
    kty: Type.Enum(['EC', 'RSA', 'OKP']),
    crv: member,
    x: member,
    y: member,
    n: member,
    e: member,
    kid: member,
    alg: member,
    use: member,
  }),
);
/** A list as long as there are only standard ones; otherwise an object, which `readClaims` checks. */
const Claims = withExample(
  ['profile'],
  Type.Unsafe<ClaimsInput>({
    type: ['array', 'object'],
    items: Type.Enum([...STANDARD_CLAIMS]),
    maxItems: 2,
    additionalProperties: true,
    'x-free-form': true,
    description:
      'A list such as ["profile"], or an object such as {"profile": true, "groups": "metadata.groups"} with custom claims: the name of each, and its place in a user\u2019s metadata.',
  }),
);
const IdTokenAlg = Type.Enum([...KEY_ALGS]);

const Client = strictObject(
  {
    clientId: uuid(ids.oidcClient),
    name: Name,
    type: Type.Enum([...TYPES]),
    redirectUris: RedirectUris,
    postLogoutRedirectUris: PostLogoutRedirectUris,
    backchannelLogoutUri: BackchannelLogoutUri,
    tokenEndpointAuth: Type.Enum([...AUTH_METHODS]),
    jwks: Jwks,
    subjectType: Type.Enum([...SUBJECT_TYPES]),
    requireDpop: flag(false),
    requirePkce: flag(true),
    claims: Claims,
    claimsInIdToken: flag(true),
    idTokenAlg: IdTokenAlg,
    issuer: exampleText(`https://id.example.com/oidc/${ids.tenant}/live`),
    previousSecretUntil: withExample(null, Nullable(Type.String({ format: 'date-time' }))),
    createdAt: Timestamp,
  },
  'OidcClient',
);

const ClientSecret = exampleText(secrets.oidcClientSecret);

/** What can be changed later. */
const changeable = {
  name: Name,
  redirectUris: RedirectUris,
  postLogoutRedirectUris: Type.Optional(PostLogoutRedirectUris),
  backchannelLogoutUri: Type.Optional(BackchannelLogoutUri),
  jwks: Type.Optional(NewJwks),
  requireDpop: Type.Optional(flag(false)),
  requirePkce: Type.Optional(
    flag(
      true,
      'False only for clients with a secret or a key, whose software cannot do PKCE. Default: true.',
    ),
  ),
  claims: Type.Optional(Claims),
  claimsInIdToken: Type.Optional(
    flag(true, 'Whether the ID token has the claims of the scopes too. Default: true.'),
  ),
  idTokenAlg: Type.Optional(IdTokenAlg),
};

export const CreateBody = Type.Object(
  {
    ...changeable,
    type: Type.Enum([...TYPES]),
    tokenEndpointAuth: Type.Enum([...AUTH_METHODS]),
    subjectType: Type.Enum([...SUBJECT_TYPES]),
  },
  { additionalProperties: false, title: 'OidcClientCreateParams' },
);
export const PatchBody = Type.Object(
  { ...changeable, name: Type.Optional(Name), redirectUris: Type.Optional(RedirectUris) },
  { additionalProperties: false, title: 'OidcClientUpdateParams', minProperties: 1 },
);
export const RotateBody = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_GRACE_SECONDS, default: 86_400, examples: [86_400] }),
    ),
  },
  { additionalProperties: false, title: 'OidcClientSecretRotateParams' },
);

export const ListQuery = forConsole(strictObject(paging));

export const ListReply = pageOf('clients', Client);
export const ClientReply = strictObject({ client: Client });
export const CreatedReply = strictObject({ client: Client, clientSecret: Type.Optional(ClientSecret) });
export const DeletedReply = strictObject({ deleted: flag(true) });
export const SecretReply = strictObject({ clientSecret: ClientSecret });
