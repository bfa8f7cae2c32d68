import type { Deps } from '../../../http/deps.js';
import { type EventAbout, findLeafEvent, listEventsAbout } from '../../../ledger/read-events.js';
import type { Read, Write } from '../../../ledger/write.js';
import { type Difference, type Enrolled, leafOf, refuse } from './commitments.js';
import * as store from './commitments.store.js';

/** A recovery and the identity that waits for it, as the database has them. */
export interface Pending {
  readonly recoveryId: string;
  readonly identityId: string;
  readonly userId: string;
}

/** The leaf that an identity is to get, or why the audit chain doesn't allow it. */
export type Opening = { readonly leaf: string } | { readonly because: Difference };

/**
 * What the audit chain says of a recovery: the event that opened it names the leaf of its identity (`pending_leaf`) and when it
 * may be completed (`completes_at`). So a recovery that somebody put into the database or made due there, or one that was ended or
 * held before, is not completed. This reads all events since the recovery was opened, so call it before the write that completes it.
 */
export async function readOpening(
  read: Read,
  { recoveryId, identityId, userId }: Pending,
  now: Date,
): Promise<Opening> {
  const first = await store.findFirstCommitment(read, identityId);
  if (first === undefined) return { because: 'no leaf' };
  const { leaf, created_at: since } = first;
  const event = await findLeafEvent(read, { leaf, since, field: 'pending_leaf' });
  if (event === undefined) return { because: 'no event' };
  const isItself =
    event.action === 'identity.recovery_opened' &&
    event.entityId === recoveryId &&
    event.identityId === identityId &&
    event.userId === userId;
  if (!isItself) return { because: 'event' };
  if (!(Date.parse(event.completesAt ?? '') <= now.getTime())) return { because: 'early' };
  const later = await listEventsAbout(read, recoveryId, event.seq);
  if (later.some(({ action }) => action === 'registration.abandoned')) return { because: 'ended' };
  return later.reduce(holds, event.isTwoPerson) ? { because: 'held' } : { leaf };
}

/** Whether a recovery is held after an event. A confirmation of the version before has no `held`: it lifted the hold. */
function holds(before: boolean, { action, held }: EventAbout): boolean {
  if (action === 'identity.recovery_contested') return held === true;
  return action === 'identity.recovery_confirmed' ? held === true : before;
}

/**
 * What the audit chain is to know of an identity whose recovery ends.
 * @throws Failure `identity_changed` after an alarm in the log, if it is not the identity that the recovery was opened for
 */
export async function openEnrolment(
  deps: Pick<Deps, 'log'>,
  read: Read,
  identity: Omit<Enrolled, 'salt' | 'leaf'>,
  opening: Opening,
): Promise<Enrolled> {
  const { identityId } = identity;
  if ('because' in opening) return refuse(deps, read, identityId, opening.because);
  const { leaf } = opening;
  const first = await store.findFirstCommitment(read, identityId);
  const isSame = first && leafOf(read.scope, { ...identity, salt: first.salt }) === leaf;
  return isSame ? { ...identity, salt: first.salt, leaf } : refuse(deps, read, identityId, 'leaf');
}

/** Releases the commitment of an identity that never came into force. */
export const releaseCommitments = (w: Write, identityId: string): Promise<void> =>
  store.deletePendingCommitments(w, identityId);
