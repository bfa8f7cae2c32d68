import Type, { type Static } from 'typebox';
import { exampleOf, overrideExample } from '../../http/openapi/example.js';
import { type RegistrationStep, registrationDeeplink } from '../../model/deeplink.js';
import {
  challengeNonce,
  code,
  commitment,
  did,
  fingerprint,
  ids,
  times,
} from '../../model/example-fixtures.js';
import { includesNames, optionalNames } from '../../records/list.js';
import {
  CodeUrl,
  Environment,
  exampleText,
  FreeForm,
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
import { SentEvidence } from '../attestation/attestation.js';
import { Device } from '../devices/devices.js';
import { Enrolment } from '../identities/identities.js';
import { AccentColor, LogoUrlOrNull } from '../profile/profile.js';
import { Commitment, Did, Proof, PublicSignals } from '../proofs/proofs.js';
import { User } from '../users/users.js';
import { STATES } from './states.js';

const SessionId = uuid(ids.registration);
const PhoneId = uuid(ids.phone);
const Profile = withExample({ fullName: 'Ada Lovelace', externalId: 'employee-1815', team: 'A' }, FreeForm);
const Fingerprint = exampleText(fingerprint);
const AttestationKind = withExample('play_integrity', Text(64));

const session = {
  id: SessionId,
  environment: Environment,
  state: withExample('completed', Type.Enum([...STATES])),
  profile: Nullable(Profile),
  device_id: Nullable(PhoneId),
  did: Nullable(exampleText(did)),
  commitment: Nullable(exampleText(commitment)),
  user_id: Nullable(uuid(ids.user)),
  recovers: flag(false, 'The person had an identity before: a valid proof opens a recovery.'),
  completes_at: withExample(null, Nullable(Timestamp)),
  contested_at: withExample(null, Nullable(Timestamp)),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: timestamp(times.in30Minutes),
  phone_connected_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When a phone last opened the first code. Missing if none has.',
      examples: [times.done],
    }),
  ),
};
const Session = strictObject(session, 'RegistrationSession');
const ShownSession = strictObject(
  { ...session, ...optionalNames({ user_name: Nullable(exampleText('Ada Lovelace')) }) },
  'NamedRegistrationSession',
);

const minted = (step: RegistrationStep, challenge?: string) => ({
  code: exampleText(code),
  expires_at: timestamp(times.in15Minutes),
  deeplink: exampleText(registrationDeeplink(step, ids.registration, code, challenge)),
  url:
    step === 'pair'
      ? CodeUrl(ids.registration, code)
      : CodeUrl(registrationDeeplink(step, ids.registration, code, challenge)),
});

export const OpenBody = {
  ...overrideExample(
    strictObject({
      profile: Type.Optional(Profile),
      /** The existing person that the phone is for. `profile` is then absent or empty. */
      userId: Type.Optional(uuid(ids.user)),
    }),
    { userId: undefined },
  ),
  title: 'RegistrationCreateParams',
};
export const OpenReply = overrideExample(
  strictObject({ session: Session, pair: strictObject(minted('pair'), 'PairCode') }),
  {
    session: { state: 'awaiting_device', device_id: null, did: null, commitment: null, user_id: null },
  },
);
export const SessionReply = strictObject({ session: Session });
export const ShownSessionReply = strictObject({ session: ShownSession });
export const GetRegistrationQuery = strictObject(includesNames);

export const ListRegistrationsQuery = strictObject({
  state: Type.Optional(Type.Enum([...STATES])),
  userId: Type.Optional(uuid(ids.user)),
  deviceId: Type.Optional(uuid(ids.device)),
  ...includesNames,
  ...paging,
});
export const RegistrationListReply = pageOf('registrations', ShownSession);

/** Optional in every step. The deeplink contains it; if sent, it must match. */
const sessionId = { session_id: Type.Optional(exampleText(ids.registration)) };

export const PairBody = strictObject(
  {
    pair_code: exampleText(code),
    fingerprint: Fingerprint,
    attestation_kind: Type.Optional(AttestationKind),
    ...sessionId,
  },
  'RegistrationDevicePairParams',
);
export const PairReply = strictObject({
  session_id: SessionId,
  device_id: PhoneId,
  tenant_id: uuid(ids.tenant),
  company_name: exampleText('Example AG'),
  accent_color: AccentColor,
  logo_url: LogoUrlOrNull,
  environment: Environment,
  next: strictObject({ step: Type.Enum(['enroll']), ...minted('enroll') }),
});

export const ContextBody = strictObject(
  { pair_code: exampleText(code), session_id: exampleText(ids.registration) },
  'RegistrationContextParams',
);
export const ContextReply = strictObject({
  session_id: SessionId,
  tenant_id: uuid(ids.tenant),
  company_name: exampleText('Example AG'),
  accent_color: AccentColor,
  logo_url: LogoUrlOrNull,
  environment: Environment,
  person_name: Nullable(exampleText('Ada Lovelace', 'Who is registered. Null if the desk gave no name.')),
  expires_at: timestamp(times.in30Minutes),
});

/** A registration that a phone has begun. */
export const streamExample = (() => {
  const reply = exampleOf(SessionReply, 'stream') as Static<typeof SessionReply>;
  return `event: registration\ndata: ${JSON.stringify(reply)}\n\n`;
})();

export const CommitmentBody = strictObject(
  {
    enroll_code: exampleText(code),
    did: Did,
    commitment: Commitment,
    attestation_kind: Type.Optional(AttestationKind),
    ...sessionId,
  },
  'RegistrationCommitmentSubmitParams',
);
export const CommitmentReply = strictObject({
  session_id: SessionId,
  next: strictObject({
    step: Type.Enum(['verify']),
    ...minted('verify', challengeNonce),
    challenge_nonce: exampleText(challengeNonce),
  }),
});

export const CompleteBody = strictObject(
  {
    verify_code: exampleText(code),
    challenge_nonce: exampleText(challengeNonce),
    proof: Proof,
    public_signals: PublicSignals,
    attestation: Type.Optional(SentEvidence),
    ...sessionId,
  },
  'RegistrationCompleteParams',
);
export const CompleteReply = overrideExample(
  strictObject({
    session_id: SessionId,
    tenant_user: User,
    device: Device,
    state: withExample('completed', Type.Enum(['completed', 'pending_recovery'])),
    completesAt: Type.Optional(timestamp(times.nextYear)),
    enrolment: Enrolment,
    attestationKeyId: Type.Optional(uuid(ids.attestationKey)),
  }),
  {
    completesAt: undefined,
    attestationKeyId: undefined,
    tenant_user: { primaryDeviceId: ids.phone },
    device: {
      id: ids.phone,
      name: 'Phone',
      deviceType: 'mobile_android',
      externalId: null,
      locationId: null,
      batteryLevel: null,
      metadata: null,
    },
  },
);
