export { abandonRestored, countOldRegistrations, deleteOldRegistrations, expireSessions } from './ends.js';
export { eraseRegistrations } from './erasing.js';
export { registrationStates } from './following/following.store.js';
export { countCompleted } from './list.js';
export { ofPerson, type Person } from './of-person.js';
export { openSession } from './open.js';
export { OpenReply } from './registrations.schema.js';
export { sealedRegistrations } from './registrations.store.js';
