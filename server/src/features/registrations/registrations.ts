import * as following from './following/following.store.js';
import * as store from './registrations.store.js';

export { abandonRestored, countOldRegistrations, deleteOldRegistrations, expireSessions } from './ends.js';
export { eraseRegistrations } from './erasing.js';
export { countCompleted } from './list.js';
export { ofPerson, type Person } from './of-person.js';
export { openSession } from './open.js';
export { OpenReply } from './registrations.schema.js';

/** How those that have ended are read with what their seals are made of. */
export const sealedRegistrations = store.sealedRegistrations;

export const registrationStates = following.registrationStates;
