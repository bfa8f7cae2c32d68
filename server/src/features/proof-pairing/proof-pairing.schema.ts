import Type from 'typebox';
import { closed, Nullable, Text, Timestamp, Uuid } from '../../kernel/schema.js';
import { Did, Proof, PublicSignals } from '../identity/identity.js';

/** What a QR code holds at most. */
const QR_BYTES = 1500;

const State = Type.Enum(['issued', 'bound', 'expired']);
const Nonce = Type.String({ pattern: '^[0-9a-f]{62}$', description: '31 random bytes in hex' });
const QrPayload = Type.String({
  maxLength: QR_BYTES,
  description:
    'za:pair:1:<session id>:<nonce>:<expiry, Unix seconds>:<tenant id>:<environment>:<base64url of the base URL>',
});
const StreamUrl = Type.String({ description: 'Relative to the base URL.' });

const tokens = {
  accessToken: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
};

export const CreatedReply = closed({
  session: closed({
    id: Uuid,
    nonce: Nonce,
    expiresAt: Timestamp,
    qrPayload: QrPayload,
    streamUrl: StreamUrl,
    state: Type.Enum(['issued']),
  }),
});

export const SubmitBody = closed({
  did: Did,
  proof: Proof,
  publicSignals: PublicSignals,
  clientMeta: Type.Optional(
    closed({
      appVersion: Type.Optional(Text(64)),
      platform: Type.Optional(Text(64)),
      model: Type.Optional(Text(128)),
      proofMs: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400_000 })),
      // Not an enum: a verdict that we do not know must rank lowest, not stop the submit of a newer client.
      deviceAttestationVerdict: Type.Optional(
        Type.Unsafe<unknown>({
          description:
            "The client's claim: MEETS_STRONG_INTEGRITY, MEETS_DEVICE_INTEGRITY or MEETS_BASIC_INTEGRITY, or in short strong, device or basic. Any other value ranks lowest.",
          examples: ['MEETS_DEVICE_INTEGRITY'],
        }),
      ),
      rawScan: Type.Optional(
        Type.String({ minLength: 1, maxLength: QR_BYTES, description: 'Opaque; neither read nor stored.' }),
      ),
    }),
  ),
});
export const SubmitReply = closed({
  session: closed({
    id: Uuid,
    state: Type.Enum(['bound']),
    boundAt: Timestamp,
    userId: Uuid,
    did: Type.String(),
  }),
  tokens: closed(tokens),
});

export const PollReply = closed({
  session: closed({
    id: Uuid,
    nonce: Nonce,
    expiresAt: Timestamp,
    qrPayload: QrPayload,
    streamUrl: StreamUrl,
    state: State,
    boundAt: Type.Optional(Timestamp),
    userId: Type.Optional(Uuid),
    did: Type.Optional(Type.String()),
  }),
  tokens: Nullable(closed(tokens)),
});

export const PublicReply = closed({ id: Uuid, state: Type.Enum(['issued', 'bound']), expiresAt: Timestamp });
