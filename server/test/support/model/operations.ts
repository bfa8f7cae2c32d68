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
import { declinePairing, openPairing, pollPairing, submitPairing } from './pairings.js';
import type { Operation, Scene } from './plan.js';
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
import type { Code, Space } from './world.js';

/** A precondition of an operation, and the operation that creates it. */
interface Need {
  readonly isMet: (scene: Scene) => boolean;
  readonly by: string;
}

const has = (of: (space: Space) => readonly unknown[], by: string): Need => ({
  isMet: ({ space }) => of(space).length > 0,
  by,
});
const hasCode = (purpose: Code['purpose'], by: string): Need => ({
  isMet: ({ world }) => world.codes.some((code) => world.isLive(code, purpose)),
  by,
});

const device = has(({ devices }) => devices, 'createDevice');
const user = has(({ users }) => users, 'createUser');
const identity = has(({ identities }) => identities.filter(({ revoked }) => !revoked), 'registerIdentity');
const pendingDevice = has(
  ({ devices }) => devices.filter(({ enrollment_state }) => enrollment_state === 'pending'),
  'createPending',
);
const furtherKey = has(({ keys }) => keys.filter(({ revoked }) => !revoked).slice(1), 'createKey');
const registration: Need = {
  isMet: ({ world, space }) => world.registrations.some((one) => one.space === space),
  by: 'openRegistration',
};
const session: Need = {
  isMet: ({ world, space }) => world.sessions.some((one) => one.space === space && world.isAlive(one)),
  by: 'verify',
};
const openPairingSession: Need = {
  isMet: ({ world, space }) =>
    world.pairings.some(
      (one) => one.space === space && one.state === 'issued' && one.expiresAt > world.now(),
    ),
  by: 'openPairing',
};

export interface Choice {
  /** The relative frequency. */
  readonly weight: number;
  readonly operation: Operation;
  readonly needs: readonly Need[];
}

const choice = (weight: number, operation: Operation, ...needs: Need[]): Choice => ({
  weight,
  operation,
  needs,
});

export const OPERATIONS: Readonly<Record<string, Choice>> = {
  createDevice: choice(5, createDevice),
  patchDevice: choice(4, patchDevice, device),
  createPending: choice(3, createPending),
  regenerate: choice(2, regenerate, pendingDevice),
  revokeDevice: choice(2, revokeDevice, device),
  enrollDevice: choice(5, enrollDevice, hasCode('device', 'createPending')),
  createUser: choice(5, createUser),
  patchUser: choice(4, patchUser, user),
  createVerification: choice(4, createVerification),
  createAttendance: choice(4, createAttendance, user),
  openRegistration: choice(6, openRegistration),
  pairDevice: choice(7, pairDevice, hasCode('pair', 'openRegistration')),
  submitCommitment: choice(6, submitCommitment, hasCode('enroll', 'pairDevice')),
  complete: choice(5, complete, hasCode('verify', 'submitCommitment')),
  pollRegistration: choice(3, pollRegistration, registration),
  abandon: choice(2, abandon, registration),
  registerIdentity: choice(6, registerIdentity),
  revokeIdentity: choice(1, revokeIdentity, identity),
  verify: choice(8, verify, identity),
  whoAmI: choice(4, whoAmI, session),
  logOut: choice(2, logOut, session),
  refresh: choice(7, refresh, session),
  openPairing: choice(3, openPairing),
  pollPairing: choice(2, pollPairing, openPairingSession),
  declinePairing: choice(1, declinePairing, openPairingSession),
  submitPairing: choice(4, submitPairing, identity, openPairingSession),
  createKey: choice(3, createKey),
  revokeKey: choice(2, revokeKey, furtherKey),
  list: choice(4, list),
};

/** Returns the operation, or usually the one that creates a missing precondition. */
export function choose(what: string, scene: Scene): string {
  const { needs } = OPERATIONS[what] as Choice;
  const missing = needs.find(({ isMet }) => !isMet(scene));
  return missing === undefined || scene.dice.once(4) ? what : choose(missing.by, scene);
}
