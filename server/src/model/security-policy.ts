import Type, { type Static } from 'typebox';

const Chain = Type.Enum(['offchain', 'onchain']);

/** What a tenant demands of a verification (SPEC, Tenant policy). All fields are optional and default to permissive. */
export const SecurityPolicySchema = Type.Object(
  {
    require_strong_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    require_device_integrity: Type.Optional(Type.Boolean({ examples: [true] })),
    require_basic_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    allow_device_attestation_absent: Type.Optional(Type.Boolean({ examples: [false] })),
    allow_unbound_proofs: Type.Optional(Type.Boolean({ examples: [false] })),
    providers: Type.Optional(
      Type.Object(
        {
          did: Type.Optional(Chain),
          verification: Type.Optional(Chain),
          auditAnchor: Type.Optional(Type.Enum(['none', 'onchain'])),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, title: 'SecurityPolicy' },
);
export type SecurityPolicy = Static<typeof SecurityPolicySchema>;
