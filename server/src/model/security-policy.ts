import Type, { type Static } from 'typebox';
import { parseUrl } from './url.js';

export const MIN_RETENTION_DAYS = 30;
export const MAX_RETENTION_DAYS = 3_650;

const Chain = Type.Enum(['offchain', 'onchain']);

/** A tenant's requirements for verifications (SPEC, Tenant policy). All fields are optional. The defaults are permissive. */
export const SecurityPolicySchema = Type.Object(
  {
    require_strong_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    require_device_integrity: Type.Optional(Type.Boolean({ examples: [true] })),
    require_basic_integrity: Type.Optional(Type.Boolean({ examples: [false] })),
    allow_device_attestation_absent: Type.Optional(Type.Boolean({ examples: [false] })),
    require_verified_attestation: Type.Optional(
      Type.Boolean({
        description:
          'Default: false. Proofs that open sessions, change identities or approve need an assertion by the phone’s attestation key, and `require_*_integrity` compares the level that was verified.',
        examples: [false],
      }),
    ),
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
    new_browser: Type.Optional(
      Type.Enum(['allow', 'number', 'nearby_or_same_device'], {
        description:
          'Default: allow. What a sign-in needs in a browser that is new to the person. `number`: the number that it shows, or the same device. `nearby_or_same_device`: the phone beside it, or the same device. Any value but `allow` turns the device flow off.',
        examples: ['allow'],
      }),
    ),
    protect_identities: Type.Optional(
      Type.Boolean({
        description:
          'Default: false; true for new accounts. A person who ever had an identity gets a new one only by a recovery, from another of their phones, or by rotation.',
        examples: [true],
      }),
    ),
    recovery_cooldown_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'Default: 24. Hours that a recovery waits before it is completed, and can be contested.',
        examples: [24],
      }),
    ),
    recovery_two_person: Type.Optional(
      Type.Boolean({
        description:
          'Default: false. A recovery waits until an owner other than the one who opened it confirms it.',
        examples: [true],
      }),
    ),
    max_identities: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Default: 5. Identities of a person that are in force at the same time.',
        examples: [5],
      }),
    ),
    addition_cooldown_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 72,
        description: 'Default: 0. Hours until an identity that another phone has added can be used.',
        examples: [0],
      }),
    ),
    retention_days: Type.Optional(
      Type.Integer({
        minimum: MIN_RETENTION_DAYS,
        maximum: MAX_RETENTION_DAYS,
        description:
          'Default: none, which keeps them. Days after which verifications, attendance events and registrations are deleted.',
        examples: [365],
      }),
    ),
    attendance: Type.Optional(
      Type.Object(
        {
          confirmed_only: Type.Optional(
            Type.Boolean({
              description:
                'Default: true. Only people may clock in whose name a member confirmed, or the account wrote.',
              examples: [true],
            }),
          ),
          desk_names: Type.Optional(
            Type.Enum(['none', 'first'], {
              description:
                'Default: none. `first`: a desk greets people by their first name, for four seconds.',
              examples: ['none'],
            }),
          ),
          networks: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['192.0.2.0/24'] }), {
              maxItems: 50,
              description: 'Networks from which phones may clock in at a desk. Default: all.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    audit_checkpoint: Type.Optional(
      Type.Boolean({
        description:
          'Default: false. `GET /v1/audit/checkpoint` returns the audit tree for witnesses. Its size shows how much the account writes.',
        examples: [false],
      }),
    ),
    console_step_up: Type.Optional(
      Type.Enum(['sessions', 'always'], {
        description:
          'Default: sessions. Which log-ins must be confirmed within the last five minutes for changes of keys, members, policy, webhooks, applications and the like: those of the dashboard’s pages, or `always` also those of programs with a console token.',
        examples: ['sessions'],
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
