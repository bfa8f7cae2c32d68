import Type from 'typebox';
import { DID_PATTERN } from '../../model/did.js';
import { commitment, did, ids, proof, publicSignals, times } from '../../model/example-fixtures.js';

export const Did = Type.String({
  pattern: DID_PATTERN,
  description: 'did:svc: and 1 to 128 hex digits',
  examples: [did],
});

export const Commitment = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  description: '64 hex digits below the BN254 scalar field',
  examples: [commitment],
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

/** `commitment`, `didHash` (bound to one use) and `identityBinding`. */
export const PublicSignals = Type.Array(Decimal, { minItems: 3, maxItems: 3, examples: [publicSignals] });

/** A proof with the nonce and the time that limit it to one use. */
export const singleUseProof = {
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

/** The errors of every claim of a phone. */
export const claimErrors = ['verification_failed', 'identity_changed', 'chain_unavailable'] as const;
