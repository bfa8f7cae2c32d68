import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { Environment, strictObject, uuid } from '../../records/schema.js';
import { Did } from '../identities/identities.js';
import { Proof, PublicSignals } from '../proofs/proofs.js';
import { AttestedBy, Challenge, SentEvidence } from './attestation.schema.js';

const enrolment = {
  did: Did,
  challenge: Challenge,
  ...SentEvidence.properties,
  proof: Proof,
  publicSignals: PublicSignals,
  attestation: Type.Optional(AttestedBy),
};

export const EnrolBody = strictObject(enrolment, 'AttestationKeyCreateParams');
export const PhoneEnrolBody = strictObject(
  { tenantId: uuid(ids.tenant), environment: Environment, ...enrolment },
  'PhoneAttestationKeyCreateParams',
);
