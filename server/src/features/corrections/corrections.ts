export { Correction } from './corrections.schema.js';
export { decideByPerson } from './decide.js';
export { deleteOldCorrections, eraseCorrections, listWaiting, serializeCorrection } from './proposals.js';
