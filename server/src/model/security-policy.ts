import Type, { type Static } from 'typebox';

const Chain = Type.Enum(['offchain', 'onchain']);

/** A tenant's requirements for verifications (SPEC, Tenant policy). All fields are optional. The defaults are permissive. */
export const SecurityPolicySchema = Type.Object(
  {
    require_strong_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    require_device_integrity: Type.Optional(Type.Boolean({ examples: [true] })),
    require_basic_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    allow_device_attestation_absent: Type.Optional(Type.Boolean({ examples: [false] })),
    allow_unbound_proofs: Type.Optional(Type.Boolean({ examples: [false] })),
    deprecated_verify: Type.Optional(
      Type.Enum(['on', 'off'], {
        description:
          'Default: on. `off` disables `POST /v1/auth/zkp/verify` (403 `endpoint_disabled`). That endpoint is not a login: a proof shows knowledge of some secret, not that anybody enrolled it.',
        examples: ['off'],
      }),
    ),
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
