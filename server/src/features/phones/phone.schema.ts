import Type from 'typebox';
import { ids, newCommitment, newDid, newPublicSignals, times } from '../../model/example-fixtures.js';
import {
  Environment,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { AttestedBy } from '../attestation/attestation.js';
import { Enrolment } from '../identities/identities.js';
import { Commitment, claimErrors, Did, Proof, PublicSignals, singleUseProof } from '../proofs/proofs.js';
import { TokensReply } from '../sessions/sessions.js';

/** The account of a phone without an API key. */
const account = { tenantId: uuid(ids.tenant), environment: Environment };
const newSecret = {
  newCommitment: withExample(newCommitment, Commitment),
  newProof: Proof,
  newPublicSignals: withExample([...newPublicSignals], PublicSignals),
};
/** An assertion over the proof of `did`, by its key. */
const attested = { attestation: Type.Optional(AttestedBy) };
const addition = {
  did: Did,
  ...singleUseProof,
  ...attested,
  newDid: withExample(newDid, Did),
  ...newSecret,
  additionId: Type.Optional(uuid(ids.addition)),
};
const rotation = { did: Did, ...singleUseProof, ...newSecret, ...attested };

export const AddBody = strictObject(addition, 'IdentityAddParams');
export const RotateBody = strictObject(rotation, 'IdentityRotateParams');

const identity = {
  did: exampleText(newDid),
  userId: uuid(ids.user),
  commitment: exampleText(newCommitment),
  createdAt: Timestamp,
};
export const AddReply = strictObject({
  identity: strictObject({
    ...identity,
    inForceAt: withExample(
      null,
      Nullable(Type.String({ format: 'date-time', description: 'Null: immediately.' })),
    ),
  }),
  userId: uuid(ids.user),
  enrolment: Enrolment,
});
export const RotateReply = strictObject({
  identity: strictObject({ ...identity, did: Did }),
  enrolment: Enrolment,
  ...TokensReply.properties,
});

export const PhoneRevokeBody = strictObject(
  { ...account, did: Did, ...singleUseProof, revoke: Did },
  'PhoneIdentityRevokeParams',
);
export const PhoneRevokeReply = strictObject({
  identity: strictObject({ did: exampleText(newDid), revokedAt: timestamp(times.done) }),
});

export const PhoneListBody = strictObject(
  { ...account, did: Did, ...singleUseProof },
  'PhoneIdentityListParams',
);
export const PhoneListReply = strictObject({
  identities: Type.Array(
    strictObject({
      did: Did,
      deviceName: Nullable(exampleText('Ada’s phone')),
      createdAt: Timestamp,
      lastUsedAt: Nullable(timestamp(times.done)),
      inForceAt: withExample(
        null,
        Nullable(Type.String({ format: 'date-time', description: 'Null: since it was created.' })),
      ),
      attestationKeyId: Nullable(uuid(ids.attestationKey)),
      isThis: flag(true, 'Whether this phone asked.'),
    }),
  ),
  recoveries: Type.Array(
    strictObject({
      id: uuid(ids.registration),
      openedAt: Timestamp,
      completesAt: timestamp(times.in30Minutes),
      contestedAt: withExample(null, Nullable(Type.String({ format: 'date-time' }))),
    }),
  ),
});

/** Those of a claim that an attestation key signs. */
const attestedErrors = [
  ...claimErrors,
  'device_attestation_required',
  'device_attestation_insufficient',
] as const;
export const addErrors = [
  ...attestedErrors,
  'identity_limit_reached',
  'addition_not_found',
  'addition_rejected',
  'addition_closed',
  'did_already_registered',
  'commitment_already_registered',
  'rate_limit_exceeded',
] as const;
export const rotateErrors = [
  ...attestedErrors,
  'commitment_already_registered',
  'rate_limit_exceeded',
] as const;
