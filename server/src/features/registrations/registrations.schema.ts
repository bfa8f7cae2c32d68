import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Text,
  Timestamp,
  Uuid,
} from '../../kernel/schema.js';
import { Device } from '../devices/devices.js';
import { Did, Proof, PublicSignals } from '../identity/identity.js';
import { User } from '../users/users.js';
import { STATES } from './states.js';

const Session = closed(
  {
    id: Uuid,
    environment: Environment,
    state: Type.Enum([...STATES]),
    profile: Nullable(FreeForm),
    device_id: Nullable(Uuid),
    did: Nullable(Type.String()),
    commitment: Nullable(Type.String()),
    user_id: Nullable(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Timestamp,
  },
  'RegistrationSession',
);

const Minted = { code: Type.String(), expires_at: Timestamp, deeplink: Type.String() };

export const OpenBody = closed({ profile: Type.Optional(FreeForm) });
export const OpenReply = closed({ session: Session, pair: closed(Minted, 'PairCode') });
export const SessionReply = closed({ session: Session });

export const ListRegistrationsQuery = closed({ state: Type.Optional(Type.Enum([...STATES])), ...paging });
export const RegistrationListReply = pageOf('registrations', Session);

/** Optional in every step: the deeplink has it, and then it must match. */
const sessionId = { session_id: Type.Optional(Type.String()) };

export const PairBody = closed({
  pair_code: Type.String(),
  fingerprint: Type.String(),
  attestation_kind: Type.Optional(Text(64)),
  ...sessionId,
});
export const PairReply = closed({
  session_id: Uuid,
  device_id: Uuid,
  tenant_id: Uuid,
  environment: Environment,
  next: closed({ step: Type.Enum(['enroll']), ...Minted }),
});

export const CommitmentBody = closed({
  enroll_code: Type.String(),
  did: Did,
  commitment: Type.String({
    pattern: '^(0x)?[0-9a-fA-F]{64}$',
    description: '64 hex digits below the BN254 scalar field',
  }),
  attestation_kind: Type.Optional(Text(64)),
  ...sessionId,
});
export const CommitmentReply = closed({
  session_id: Uuid,
  next: closed({ step: Type.Enum(['verify']), ...Minted, challenge_nonce: Type.String() }),
});

export const CompleteBody = closed({
  verify_code: Type.String(),
  challenge_nonce: Type.String(),
  proof: Proof,
  public_signals: PublicSignals,
  ...sessionId,
});
export const CompleteReply = closed({ session_id: Uuid, tenant_user: User, device: Device });
