import Type from 'typebox';
import { strictObject } from '../../records/schema.js';
import { Did, Proof, PublicSignals } from '../proofs/proofs.js';
import { AttestedBy, Challenge, SentEvidence } from './attestation.schema.js';

export const EnrolBody = strictObject(
  {
    did: Did,
    challenge: Challenge,
    ...SentEvidence.properties,
    proof: Proof,
    publicSignals: PublicSignals,
    attestation: Type.Optional(AttestedBy),
  },
  'AttestationKeyCreateParams',
);
