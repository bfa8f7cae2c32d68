/** The checks of kept evidence, for the command line. They need no database and no settings. */
export {
  checkKeptEvidence,
  type EvidenceVerdict,
  type KeptEvidence,
  readKeptEvidence,
} from '../features/attestation/offline.js';
