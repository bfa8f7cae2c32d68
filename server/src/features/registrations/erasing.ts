import type { Write } from '../../ledger/write.js';
import { close } from './closing.js';
import type { Person } from './of-person.js';
import { auditRecovery } from './recoveries/recoveries.js';
import * as store from './registrations.store.js';
import { ENDED } from './states.js';

/**
 * Ends the open registrations and recoveries of a person and removes what all of them say. @returns the devices of the registrations
 */
export async function eraseRegistrations(w: Write, person: Person, now: Date): Promise<string[]> {
  const sessions = await store.listOfPerson(w, person);
  for (const { id, state, expires_at } of sessions.filter((session) => !ENDED.includes(session.state))) {
    const isRecovery = state === 'pending_recovery';
    const move = isRecovery ? 'cancel' : expires_at <= now ? 'expire' : 'abandon';
    const ended = await close(w, id, move, now);
    if (isRecovery) auditRecovery(w, 'identity.recovery_cancelled', ended);
  }
  await store.eraseRegistrations(
    w,
    sessions.map(({ id }) => id),
  );
  return sessions.flatMap(({ device_id }) => device_id ?? []);
}
