import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import {
  Environment,
  exampleText,
  FreeForm,
  flag,
  Nullable,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  Uuid,
  uuid,
  withExample,
} from '../../http/schema.js';
import { DID_PATTERN } from '../../model/did.js';
import {
  commitment,
  did,
  hash,
  ids,
  proof,
  publicSignals,
  secrets,
  times,
} from '../../model/example-fixtures.js';
import { User } from '../users/users.js';

export const Did = Type.String({
  pattern: DID_PATTERN,
  description: 'did:svc: and 1 to 128 hex digits',
  examples: [did],
});

const Decimal = Type.String({
  maxLength: 78,
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'a canonical decimal number',
  examples: [publicSignals[0]],
});
const Pair = Type.Array(Decimal, { minItems: 2, maxItems: 2 });
const Point = Type.Array(Decimal, { minItems: 3, maxItems: 3 });

export const Proof = Type.Object(
  {
    pi_a: Point,
    pi_b: Type.Array(Pair, { minItems: 3, maxItems: 3 }),
    pi_c: Point,
    protocol: Type.Enum(['groth16']),
    curve: Type.Enum(['bn128']),
  },
  { additionalProperties: false, title: 'Groth16Proof', examples: [proof] },
);

/** commitment, didHash (bound to this use), identityBinding. */
export const PublicSignals = Type.Array(Decimal, { minItems: 3, maxItems: 3, examples: [publicSignals] });

export const Commitment = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  description: '64 hex digits below the BN254 scalar field',
  examples: [commitment],
});
const UserId = uuid(ids.user);

export const RegisterBody = strictObject(
  {
    did: Did,
    commitment: Commitment,
    externalId: Type.Optional(withExample('employee-1815', Text(200))),
    attestation: Type.Optional(FreeForm),
  },
  'IdentityRegisterParams',
);
export const RegisterReply = overrideExample(
  strictObject({
    userId: UserId,
    did: exampleText(did),
    commitment: exampleText(commitment),
    createdAt: Timestamp,
    metadata: Type.Optional(
      Type.Object(
        {
          anchor_tx_hash: Type.Optional(
            Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${hash}`] }),
          ),
          anchor_status: Type.Optional(Type.Enum(['pending'])),
        },
        { additionalProperties: false, description: 'Where DIDs are anchored on chain: the transaction.' },
      ),
    ),
  }),
  { metadata: undefined },
);

/** A proof, and the nonce and time that it may be used with once. */
const proofOnce = {
  proof: Proof,
  publicSignals: PublicSignals,
  nonce: Type.String({
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
    description: 'a UUID version 4',
    examples: [ids.proofNonce],
  }),
  timestamp: Type.Union([
    Type.Integer({
      minimum: 0,
      maximum: 8_640_000_000_000_000,
      description: 'Unix milliseconds',
      examples: [Date.parse(times.begun)],
    }),
    Type.String({
      format: 'date-time',
      pattern: '\\.[0-9]{3}Z$',
      description: 'an ISO 8601 UTC time with milliseconds',
      examples: ['2026-05-12T09:30:00.000Z'],
    }),
  ]),
};
export const VerifyBody = strictObject({ did: Did, ...proofOnce }, 'IdentityVerifyParams');
export const UnboundVerifyBody = strictObject(proofOnce, 'UnboundProofVerifyParams');

const tokenFields = {
  accessToken: exampleText(secrets.accessToken),
  refreshToken: exampleText(secrets.refreshToken),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
  sessionId: Uuid,
};
const Simulated = Type.Optional(
  Type.Literal(true, { description: 'There, and true, where the sign-on was simulated.' }),
);

const Assurance = Type.Optional(
  Type.Enum(['unbound'], {
    description: 'There where the proof was not bound to its use, and stands for nobody.',
  }),
);

export const TokensReply = strictObject({ ...tokenFields, did: exampleText(did) }, 'SessionTokens');

/** Of sessions of any kind: one from sign-on or of an unbound proof has no DID. */
const AnyTokensReply = strictObject(
  {
    ...tokenFields,
    did: withExample(null, Nullable(Type.String())),
    assurance: Assurance,
    simulated: Simulated,
  },
  'AnySessionTokens',
);
/** Of one from sign-on. */
export const SignOnReply = overrideExample(AnyTokensReply, { assurance: undefined });

/** Of a session from a proof, as most are. */
export const RefreshReply = overrideExample(AnyTokensReply, {
  did,
  assurance: undefined,
  simulated: undefined,
});

export const RefreshBody = strictObject(
  {
    refreshToken: withExample(secrets.refreshToken, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'SessionRefreshParams',
);
const Me = strictObject({
  user: User,
  did: Nullable(exampleText(did, 'Null in a session from sign-on.')),
  sessionId: Uuid,
  environment: Environment,
  simulated: Simulated,
});
export const MeReply = overrideExample(Me, { simulated: undefined });
/** Of the legacy surface, where a session may be nobody's. */
export const LegacyMeReply = overrideExample(
  strictObject({
    user: Nullable(User),
    did: Nullable(exampleText(did)),
    sessionId: Uuid,
    assurance: Assurance,
    simulated: Simulated,
  }),
  { assurance: undefined, simulated: undefined },
);
export const LogoutReply = strictObject({ loggedOut: flag(true) });
export const RevokeBody = strictObject({ did: Did }, 'IdentityRevokeParams');
export const RevokeReply = strictObject({
  identity: strictObject({
    userId: UserId,
    did: exampleText(did),
    commitment: exampleText(commitment),
    createdAt: Timestamp,
    revokedAt: Nullable(timestamp(times.done)),
  }),
});
