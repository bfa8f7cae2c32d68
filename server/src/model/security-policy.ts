import Type, { type Static } from 'typebox';
import { parseUrl } from './url.js';

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
    origins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255, examples: ['https://app.example.com'] }), {
        maxItems: 20,
        description:
          'Origins that may open pairing sessions in their name: https, or http on a loopback address.',
      }),
    ),
    pairing_match: Type.Optional(
      Type.Enum(['off', 'type'], {
        description:
          'Default: off. `type`: for every pairing session, the person types the number that the desktop shows.',
        examples: ['type'],
      }),
    ),
    desktop_tokens_only: Type.Optional(
      Type.Boolean({ description: 'A pairing gives the phone no tokens.', examples: [true] }),
    ),
    same_device_only: Type.Optional(
      Type.Boolean({
        description: 'Pairing sessions must have `sameDevice`, so a QR code signs nobody in.',
        examples: [false],
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

/** Whether the text is an origin in its normal form that pairing sessions may name: https, or http on a loopback address. */
export function isPairingOrigin(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { origin, protocol, hostname } = url;
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}
