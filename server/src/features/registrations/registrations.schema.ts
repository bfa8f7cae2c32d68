import Type from 'typebox';
import { except } from '../../http/openapi/example.js';
import {
  closed,
  Environment,
  FreeForm,
  like,
  Nullable,
  pageOf,
  paging,
  shown,
  Text,
  Timestamp,
  timestamp,
  uuid,
} from '../../http/schema.js';
import { type RegistrationStep, registrationDeeplink } from '../../model/deeplink.js';
import { challengeNonce, code, commitment, did, fingerprint, ids, times } from '../../model/story.js';
import { Device } from '../devices/devices.js';
import { Commitment, Did, Proof, PublicSignals } from '../identities/identities.js';
import { User } from '../users/users.js';
import { STATES } from './states.js';

const SessionId = uuid(ids.registration);
const PhoneId = uuid(ids.phone);
const Profile = like({ fullName: 'Ada Lovelace', externalId: 'employee-1815', team: 'A' }, FreeForm);
const Fingerprint = shown(fingerprint);
const AttestationKind = like('play_integrity', Text(64));

const Session = closed(
  {
    id: SessionId,
    environment: Environment,
    state: like('completed', Type.Enum([...STATES])),
    profile: Nullable(Profile),
    device_id: Nullable(PhoneId),
    did: Nullable(shown(did)),
    commitment: Nullable(shown(commitment)),
    user_id: Nullable(uuid(ids.user)),
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: timestamp(times.in30Minutes),
  },
  'RegistrationSession',
);

const minted = (step: RegistrationStep, challenge?: string) => ({
  code: shown(code),
  expires_at: timestamp(times.in15Minutes),
  deeplink: shown(registrationDeeplink(step, ids.registration, code, challenge)),
});

export const OpenBody = closed({ profile: Type.Optional(Profile) }, 'RegistrationCreateParams');
export const OpenReply = except(closed({ session: Session, pair: closed(minted('pair'), 'PairCode') }), {
  session: { state: 'awaiting_device', device_id: null, did: null, commitment: null, user_id: null },
});
export const SessionReply = closed({ session: Session });

export const ListRegistrationsQuery = closed({ state: Type.Optional(Type.Enum([...STATES])), ...paging });
export const RegistrationListReply = pageOf('registrations', Session);

/** Optional in every step: the deeplink has it, and then it must match. */
const sessionId = { session_id: Type.Optional(shown(ids.registration)) };

export const PairBody = closed(
  {
    pair_code: shown(code),
    fingerprint: Fingerprint,
    attestation_kind: Type.Optional(AttestationKind),
    ...sessionId,
  },
  'RegistrationDevicePairParams',
);
export const PairReply = closed({
  session_id: SessionId,
  device_id: PhoneId,
  tenant_id: uuid(ids.tenant),
  company_name: shown('Example AG'),
  environment: Environment,
  next: closed({ step: Type.Enum(['enroll']), ...minted('enroll') }),
});

export const CommitmentBody = closed(
  {
    enroll_code: shown(code),
    did: Did,
    commitment: Commitment,
    attestation_kind: Type.Optional(AttestationKind),
    ...sessionId,
  },
  'RegistrationCommitmentSubmitParams',
);
export const CommitmentReply = closed({
  session_id: SessionId,
  next: closed({
    step: Type.Enum(['verify']),
    ...minted('verify', challengeNonce),
    challenge_nonce: shown(challengeNonce),
  }),
});

export const CompleteBody = closed(
  {
    verify_code: shown(code),
    challenge_nonce: shown(challengeNonce),
    proof: Proof,
    public_signals: PublicSignals,
    ...sessionId,
  },
  'RegistrationCompleteParams',
);
export const CompleteReply = except(closed({ session_id: SessionId, tenant_user: User, device: Device }), {
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
});
