import Type from 'typebox';
import {
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../http/schema.js';
import { did, ids, pairingNonce, secrets, times } from '../../model/example-fixtures.js';
import { Did } from '../identities/identities.js';
import { Proof, PublicSignals } from '../proofs/proofs.js';

/** The longest content of a QR code that we accept. */
const QR_BYTES = 1500;

const QR = `za:pair:1:${ids.pairing}:${pairingNonce}:${Date.parse(times.in5Minutes) / 1000}:${ids.tenant}:live:aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20`;
const Id = uuid(ids.pairing);
const UserId = uuid(ids.user);
const ExpiresAt = timestamp(times.in5Minutes);
const BoundAt = timestamp(times.done);

const State = withExample('bound', Type.Enum(['issued', 'bound', 'expired']));
const Nonce = Type.String({
  pattern: '^[0-9a-f]{62}$',
  description: '31 random bytes in hex',
  examples: [pairingNonce],
});
const QrPayload = Type.String({
  maxLength: QR_BYTES,
  description:
    'za:pair:1:<session id>:<nonce>:<expiry, Unix seconds>:<tenant id>:<environment>:<base64url of the base URL>',
  examples: [QR],
});
const StreamUrl = exampleText(
  `/v1/proof-pairing/sessions/${ids.pairing}/stream`,
  'Relative to the base URL.',
);

const tokens = {
  accessToken: exampleText(secrets.accessToken),
  refreshToken: exampleText(secrets.refreshToken),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
};

export const CreatedReply = strictObject({
  session: strictObject({
    id: Id,
    nonce: Nonce,
    expiresAt: ExpiresAt,
    qrPayload: QrPayload,
    streamUrl: StreamUrl,
    state: Type.Enum(['issued']),
  }),
});

export const SubmitBody = strictObject(
  {
    did: Did,
    proof: Proof,
    publicSignals: PublicSignals,
    clientMeta: Type.Optional(
      strictObject({
        appVersion: Type.Optional(withExample('2.4.1', Text(64))),
        platform: Type.Optional(withExample('android', Text(64))),
        model: Type.Optional(withExample('Pixel 9', Text(128))),
        proofMs: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400_000, examples: [840] })),
        // Not an enum: an unknown verdict from a newer client must rank lowest, not fail the request.
        deviceAttestationVerdict: Type.Optional(
          Type.Unsafe<unknown>({
            description:
              "The client's claim: MEETS_STRONG_INTEGRITY, MEETS_DEVICE_INTEGRITY or MEETS_BASIC_INTEGRITY, or in short strong, device or basic. Any other value ranks lowest.",
            examples: ['MEETS_DEVICE_INTEGRITY'],
          }),
        ),
        rawScan: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: QR_BYTES,
            description: 'opaque text, neither read nor stored',
            examples: [
              'za:proof:1:H4sIAAAAAAAAA6tWKkktLlGyUlAqS8wpTtVRKi1OLYrPTFGyMtJRykvMTVWyUkpMSS4qAQDtGQ1YKwAAAA',
            ],
          }),
        ),
      }),
    ),
  },
  'PairingProofSubmitParams',
);
export const SubmitReply = strictObject({
  session: strictObject({
    id: Id,
    state: Type.Enum(['bound']),
    boundAt: BoundAt,
    userId: UserId,
    did: exampleText(did),
  }),
  tokens: strictObject(tokens),
});

export const PollReply = strictObject({
  session: strictObject({
    id: Id,
    nonce: Nonce,
    expiresAt: ExpiresAt,
    qrPayload: QrPayload,
    streamUrl: StreamUrl,
    state: State,
    boundAt: Type.Optional(BoundAt),
    userId: Type.Optional(UserId),
    did: Type.Optional(exampleText(did)),
  }),
  tokens: Nullable(strictObject(tokens)),
});

export const PublicReply = strictObject({
  id: Id,
  state: Type.Enum(['issued', 'bound']),
  expiresAt: ExpiresAt,
});

export const ListQuery = strictObject({ state: Type.Optional(State), ...paging });
export const ListReply = pageOf(
  'sessions',
  strictObject(
    {
      id: Id,
      state: State,
      createdAt: Timestamp,
      expiresAt: ExpiresAt,
      boundAt: Nullable(BoundAt),
      userId: Nullable(UserId),
      did: Nullable(exampleText(did)),
    },
    'PairingSession',
  ),
);
