export { Correction } from './corrections.schema.js';
export { decideByPerson } from './decide.js';
export {
  deleteOldCorrections,
  eraseCorrections,
  hasOldCorrections,
  listProvedCorrections,
  listWaiting,
  type ProvedCorrection,
  serializeCorrection,
} from './proposals.js';
