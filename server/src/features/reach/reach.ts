import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read } from '../../ledger/write.js';
import * as store from './reach.store.js';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Sign-ins that are looked at. They are enough to see how a busy account signs in. */
const MAX_SIGN_INS = 100_000;

/** The people, phones and sign-ins that a stricter policy about browsers and passkeys would reach. */
export async function readReach(read: Read, { clock }: Pick<Deps, 'clock'>, { environment }: Scope) {
  const now = clock.now();
  const [phones, signIns, deviceApplications] = await Promise.all([
    store.countPhones(read, new Date(now)),
    store.countSignIns(read, new Date(now - DAYS * DAY_MS), MAX_SIGN_INS),
    store.countDeviceApplications(read),
  ]);
  return { environment, ...phones, signIns, deviceApplications };
}
