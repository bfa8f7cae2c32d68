import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { did, ids, pairingNonce, secrets, slot, slotMac, times } from '../../model/example-fixtures.js';
import { createdIn, includesNames, optionalNames } from '../../records/list.js';
import {
  CodeUrl,
  Environment,
  exampleText,
  flag,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { AttestedBy } from '../attestation/attestation.js';
import { SignedByDevice } from '../devices/devices.js';
import { Did, Proof, PublicSignals } from '../proofs/proofs.js';
import { eventNames } from '../verifications/verifications.js';

/** The longest content of a QR code that we accept. */
const QR_BYTES = 1500;

const QR = `za:pair:1:${ids.pairing}:${pairingNonce}:${Date.parse(times.in5Minutes) / 1000}:${ids.tenant}:live:aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20`;
const Id = uuid(ids.pairing);
const UserId = uuid(ids.user);
const ExpiresAt = timestamp(times.in5Minutes);
const BoundAt = timestamp(times.done);
const PhoneConnectedAt = Type.String({
  format: 'date-time',
  description: 'When a phone last opened the code. Missing if none has.',
  examples: [times.done],
});

const State = withExample(
  'bound',
  Type.Enum(['issued', 'proved', 'bound', 'declined', 'rejected', 'expired']),
);
const Match = withExample('type', Type.Enum(['off', 'type']));
const MatchCode = Type.String({
  pattern: '^[0-9]{2}$',
  description: 'two digits',
  examples: ['42'],
});
const Application = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Visible characters only, because a person reads it before approving.',
  examples: ['Northwind Portal'],
});
const Url = (example: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, description, examples: [example] });
const ScanTicket = Type.String({
  pattern: '^[0-9]{1,12}\\.[\\w-]{16}$',
  description: 'the scanTicket of a context, valid for 120 seconds',
  examples: [secrets.scanTicket],
});
const Slot = Type.Integer({
  minimum: 0,
  maximum: 999_999_999_999,
  description: 'From the code that was scanned.',
  examples: [slot],
});
const SlotMac = Type.String({
  pattern: '^[\\w-]{16}$',
  description: '16 characters of base64url, from the code that was scanned',
  examples: [slotMac],
});

const Nonce = Type.String({
  pattern: '^[0-9a-f]{62}$',
  description: '31 random bytes in hex',
  examples: [pairingNonce],
});
const QrPayload = Type.String({
  maxLength: QR_BYTES,
  description:
    'za:pair:1:<session id>:<nonce>:<expiry, Unix seconds>:<tenant id>:<environment>:<base64url of the base URL>. A code that moves begins with za:pair:2 and ends with :<slot>:<mac>. Show the newest.',
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

/** Other origins and return addresses than those of the security policy are a 403, so the example has none. */
export const CreateBody = withExample(
  { context: { application: 'Northwind Portal' }, match: 'type' },
  strictObject(
    {
      context: Type.Optional(
        strictObject({
          origin: Type.Optional(
            Url(
              'https://app.example.com',
              'The page that asks. Must be in `origins` of the security policy.',
            ),
          ),
          application: Type.Optional(Application),
        }),
      ),
      match: Type.Optional(Match),
      /** An enrolled device with a key, such as a kiosk, that shows the code. Its sessions always ask for the number. */
      device: Type.Optional(SignedByDevice),
      rotate: Type.Optional(
        Type.Boolean({
          description: 'The code moves every 10 seconds. Always so with a number.',
          examples: [true],
        }),
      ),
      sameDevice: Type.Optional(
        Type.Boolean({
          description: 'The page that opened the session is on the phone. Needs returnUrl.',
          examples: [false],
        }),
      ),
      returnUrl: Type.Optional(
        Url('https://app.example.com/signed-in', 'Where the phone returns, with `#<returnCode>`.'),
      ),
    },
    'PairingCreateParams',
  ),
);

const desktop = {
  id: Id,
  nonce: Nonce,
  expiresAt: ExpiresAt,
  qrPayload: QrPayload,
  url: CodeUrl(ids.pairing, `${slot}.${slotMac}`),
  streamUrl: StreamUrl,
};

export const CreatedReply = strictObject({
  session: strictObject({
    ...desktop,
    state: Type.Enum(['issued']),
    matchCode: Type.Optional(
      Type.String({
        pattern: '^[0-9]{2}$',
        description: 'The number to show. Returned only here.',
        examples: ['42'],
      }),
    ),
  }),
});

export const CancelReply = strictObject({
  session: strictObject({ id: Id, state: withExample('expired', State) }),
});

export const ReturnCode = Type.String({
  pattern: '^[\\w-]{43}$',
  description: 'the fragment of the URL that the phone returned to',
  examples: [secrets.refreshToken],
});
export const RedeemBody = strictObject({ returnCode: ReturnCode }, 'PairingRedeemParams');

export const ContextQuery = strictObject({
  slot: Type.Optional(Slot),
  slotMac: Type.Optional(SlotMac),
});

export const PhoneContextQuery = overrideExample(
  strictObject({
    slot: Type.Optional(Slot),
    slotMac: Type.Optional(SlotMac),
    tenantId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Where the phone is registered, if it scanned the address of the code. Needs `environment`, `slot` and `slotMac`.',
        examples: [ids.tenant],
      }),
    ),
    environment: Type.Optional(Environment),
  }),
  { tenantId: undefined, environment: undefined },
);

export const ContextReply = strictObject({
  context: strictObject({
    company: exampleText('Northwind'),
    accentColor: exampleText('#0a6c56'),
    logoUrl: Nullable(exampleText(`/logos/${ids.tenant}/${ids.session}`)),
    application: Nullable(exampleText('Northwind Portal')),
    origin: Nullable(exampleText('https://app.example.com')),
    browser: Nullable(
      exampleText('Firefox', 'What the browser says it is. Null if a backend opened the session.'),
    ),
    system: Nullable(exampleText('Windows')),
    openedAt: timestamp(times.begun),
    sameNetwork: Nullable(
      Type.Boolean({
        description:
          'Whether the phone is in the network that opened the session, or of the `device`. Null if that is unknown.',
        examples: [true],
      }),
    ),
    match: Match,
    requiresAttestation: flag(
      false,
      'Whether the policy has `require_verified_attestation`, so that the phone sends an assertion with its proof.',
    ),
    device: Nullable(
      strictObject({ userCode: exampleText('WDJB-MJHT', 'As the device shows it.') }, 'AskingDevice'),
    ),
  }),
  scanTicket: exampleText(secrets.scanTicket, 'Keeps the scan fresh for 120 seconds.'),
  qrPayload: Type.Optional(
    exampleText(QR, 'The whole code, for a phone that scanned its address. Only with `tenantId`.'),
  ),
});

/** What shows that a code was fresh when it was scanned. */
const scan = {
  scanTicket: Type.Optional(ScanTicket),
  slot: Type.Optional(Slot),
  slotMac: Type.Optional(SlotMac),
};

export const DeclineBody = strictObject(
  {
    reason: Type.Enum(['not_me', 'mistake'], {
      description: '`not_me` with a proof is worth an alarm: somebody showed this person a code.',
      examples: ['not_me'],
    }),
    scanTicket: Type.Optional(ScanTicket),
    did: Type.Optional(Did),
    proof: Type.Optional(Proof),
    publicSignals: Type.Optional(PublicSignals),
  },
  'PairingDeclineParams',
);
export const DeclineReply = strictObject({
  session: strictObject({ id: Id, state: Type.Enum(['declined']) }),
});

export const SubmitBody = strictObject(
  {
    did: Did,
    proof: Proof,
    publicSignals: PublicSignals,
    matchCode: Type.Optional(MatchCode),
    ...scan,
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
        attestation: Type.Optional(AttestedBy),
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
    state: Type.Enum(['bound', 'proved'], {
      description:
        '`proved`: the proof was valid, and the sign-in page waits until the phone is beside it. Nobody is signed in yet.',
    }),
    boundAt: Type.Optional(BoundAt),
    userId: UserId,
    did: exampleText(did),
  }),
  tokens: Nullable(strictObject(tokens)),
  returnCode: Type.Optional(
    exampleText(secrets.refreshToken, 'With `sameDevice`: redeems the session once, within 60 seconds.'),
  ),
  returnUrl: Type.Optional(
    exampleText(`https://app.example.com/signed-in#${secrets.refreshToken}`, 'With `sameDevice`: open it.'),
  ),
});

export const PollReply = strictObject({
  session: strictObject({
    ...desktop,
    state: State,
    phoneConnectedAt: Type.Optional(PhoneConnectedAt),
    boundAt: Type.Optional(BoundAt),
    userId: Type.Optional(UserId),
    did: Type.Optional(exampleText(did)),
    userName: Type.Optional(
      Nullable(
        exampleText(
          'Ada Lovelace',
          'The person’s name. Only for the device that opened the session, once it is bound.',
        ),
      ),
    ),
  }),
  tokens: Nullable(strictObject(tokens)),
});

export const PublicReply = strictObject({
  id: Id,
  state: Type.Enum(['issued', 'bound']),
  expiresAt: ExpiresAt,
});

export const ListQuery = strictObject({
  id: Type.Optional(Id),
  state: Type.Optional(State),
  userId: Type.Optional(uuid(ids.user)),
  deviceId: Type.Optional(uuid(ids.device)),
  ...createdIn,
  ...includesNames,
  ...paging,
});
export const PairingSession = strictObject(
  {
    id: Id,
    state: State,
    match: Match,
    origin: Nullable(exampleText('https://app.example.com')),
    application: Nullable(exampleText('Northwind Portal')),
    clientId: Nullable(uuid(ids.oidcClient)),
    deviceId: Nullable(uuid(ids.device)),
    createdAt: Timestamp,
    expiresAt: ExpiresAt,
    boundAt: Nullable(BoundAt),
    userId: Nullable(UserId),
    did: Nullable(exampleText(did)),
    ...optionalNames(eventNames),
  },
  'PairingSession',
);
export const ListReply = pageOf('sessions', PairingSession);
