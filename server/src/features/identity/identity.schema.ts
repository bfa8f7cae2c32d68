import Type from 'typebox';
import { closed, Environment, FreeForm, Nullable, Text, Timestamp, Uuid } from '../../kernel/schema.js';
import { DID_PATTERN } from '../../model/did.js';
import { User } from '../users/users.js';

export const Did = Type.String({
  pattern: DID_PATTERN,
  description: 'did:svc: and 1 to 128 hex digits',
  examples: ['did:svc:1f3a'],
});

const Decimal = Type.String({
  maxLength: 78,
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'a canonical decimal number',
});
const Pair = Type.Array(Decimal, { minItems: 2, maxItems: 2 });
const Point = Type.Array(Decimal, { minItems: 3, maxItems: 3 });

export const Proof = closed(
  {
    pi_a: Point,
    pi_b: Type.Array(Pair, { minItems: 3, maxItems: 3 }),
    pi_c: Point,
    protocol: Type.Enum(['groth16']),
    curve: Type.Enum(['bn128']),
  },
  'Groth16Proof',
);

/** commitment, didHash (bound to this use), identityBinding. */
export const PublicSignals = Type.Array(Decimal, { minItems: 3, maxItems: 3 });

export const RegisterBody = closed({
  did: Did,
  commitment: Type.String({
    pattern: '^(0x)?[0-9a-fA-F]{64}$',
    description: '64 hex digits below the BN254 scalar field',
  }),
  externalId: Type.Optional(Text(200)),
  attestation: Type.Optional(FreeForm),
});
export const RegisterReply = closed({
  userId: Uuid,
  did: Type.String(),
  commitment: Type.String(),
  createdAt: Timestamp,
});

/** A proof, and the nonce and time that it may be used with once. */
const proofOnce = {
  proof: Proof,
  publicSignals: PublicSignals,
  nonce: Type.String({
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
    description: 'a UUID version 4',
  }),
  timestamp: Type.Union([
    Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix milliseconds' }),
    Type.String({
      format: 'date-time',
      pattern: '\\.[0-9]{3}Z$',
      description: 'an ISO 8601 UTC time with milliseconds',
      examples: ['2026-05-12T09:30:00.000Z'],
    }),
  ]),
};
export const VerifyBody = closed({ did: Did, ...proofOnce });
export const UnboundVerifyBody = closed(proofOnce);

const tokenFields = {
  accessToken: Type.String(),
  refreshToken: Type.String(),
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

export const TokensReply = closed({ ...tokenFields, did: Type.String() }, 'SessionTokens');

/** Of sessions of any kind: one from sign-on or of an unbound proof has no DID. */
export const AnyTokensReply = closed(
  { ...tokenFields, did: Nullable(Type.String()), assurance: Assurance, simulated: Simulated },
  'AnySessionTokens',
);

export const RefreshBody = closed({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) });
export const MeReply = closed({
  user: User,
  did: Nullable(Type.String({ description: 'Null in a session from sign-on.' })),
  sessionId: Uuid,
  environment: Environment,
  simulated: Simulated,
});
/** Of the legacy surface, where a session may be nobody's. */
export const LegacyMeReply = closed({
  user: Nullable(User),
  did: Nullable(Type.String()),
  sessionId: Uuid,
  assurance: Assurance,
  simulated: Simulated,
});
export const LogoutReply = closed({ loggedOut: Type.Boolean() });
export const RevokeBody = closed({ did: Did });
export const RevokeReply = closed({
  identity: closed({
    userId: Uuid,
    did: Type.String(),
    commitment: Type.String(),
    createdAt: Timestamp,
    revokedAt: Nullable(Timestamp),
  }),
});
