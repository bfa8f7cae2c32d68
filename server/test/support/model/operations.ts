import {
  createDevice,
  createPending,
  enrollDevice,
  patchDevice,
  regenerate,
  revokeDevice,
} from './devices.js';
import { createAttendance, createVerification } from './events.js';
import { registerIdentity, revokeIdentity, verify } from './identities.js';
import { createKey, revokeKey } from './keys.js';
import { list } from './lists.js';
import { openPairing, pollPairing, submitPairing } from './pairings.js';
import type { Operation } from './plan.js';
import {
  abandon,
  complete,
  openRegistration,
  pairDevice,
  pollRegistration,
  submitCommitment,
} from './registrations.js';
import { logOut, refresh, whoAmI } from './sessions.js';
import { createUser, patchUser } from './users.js';

/** How often each is chosen, and what it is. */
export const OPERATIONS: Readonly<Record<string, readonly [weight: number, Operation]>> = {
  createDevice: [5, createDevice],
  patchDevice: [4, patchDevice],
  createPending: [3, createPending],
  regenerate: [2, regenerate],
  revokeDevice: [2, revokeDevice],
  enrollDevice: [5, enrollDevice],
  createUser: [5, createUser],
  patchUser: [4, patchUser],
  createVerification: [4, createVerification],
  createAttendance: [4, createAttendance],
  openRegistration: [6, openRegistration],
  pairDevice: [7, pairDevice],
  submitCommitment: [6, submitCommitment],
  complete: [5, complete],
  pollRegistration: [3, pollRegistration],
  abandon: [2, abandon],
  registerIdentity: [6, registerIdentity],
  revokeIdentity: [1, revokeIdentity],
  verify: [8, verify],
  whoAmI: [4, whoAmI],
  logOut: [2, logOut],
  refresh: [7, refresh],
  openPairing: [3, openPairing],
  pollPairing: [2, pollPairing],
  submitPairing: [4, submitPairing],
  createKey: [3, createKey],
  revokeKey: [2, revokeKey],
  list: [4, list],
};
