import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read, Write } from '../../ledger/write.js';
import { countMatching } from '../../records/counts.js';
import { nameIn, recordListing } from '../../records/list.js';
import type { DeletedRows, OldRows } from '../../records/old-rows.js';
import * as devices from '../devices/devices.js';
import * as users from '../users/users.js';
import { eventPosition } from './events.js';
import type { CreateVerificationBody } from './verifications.schema.js';
import * as store from './verifications.store.js';

const FUTURE_MS = 5 * 60_000;

export const serializeVerification = store.verifications.serialize;

/** When an event happened. Default: now. At most five minutes ahead of our clock. */
export function occurredAt(given: string | undefined, now: number): Date {
  const time = given === undefined ? now : Date.parse(given);
  if (time > now + FUTURE_MS) invalid('body.occurredAt', 'must be at most 5 minutes in the future');
  return new Date(time);
}

/** Records an event that happened elsewhere. Its records must belong to this tenant and environment, in any status. */
export async function createVerification(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateVerificationBody>,
): Promise<store.VerificationRow> {
  const now = clock.now();
  const id = ids();
  const { row, userKnown, deviceKnown } = await store.insertVerification(w, {
    ...store.verifications.fromWire(input),
    id,
    environment: w.scope.environment,
    occurred_at: occurredAt(input.occurredAt, now),
    created_at: new Date(now),
  });
  if (!userKnown) await users.requireLiving(w, String(input.userId));
  if (!deviceKnown) fail('device_not_found');
  const { method, result } = row;
  w.audit({ entityType: 'verification', entityId: id, metadata: { method, result } });
  return row;
}

export async function findVerification(read: Read, id: string): Promise<store.VerificationRow> {
  return (await store.findVerification(read, id)) ?? fail('verification_not_found');
}

/** Events with the names of their people and devices. */
export async function withNames<Event extends { userId: string | null; deviceId: string | null }>(
  read: Read,
  events: readonly Event[],
) {
  const [userNames, deviceNames] = await Promise.all([
    users.namesOf(
      read,
      events.map(({ userId }) => userId),
    ),
    devices.namesOf(
      read,
      events.map(({ deviceId }) => deviceId),
    ),
  ]);
  return events.map((event) => ({
    ...event,
    userName: nameIn(userNames, event.userId),
    deviceName: nameIn(deviceNames, event.deviceId),
  }));
}

export const verificationListing = recordListing({
  record: store.verifications,
  select: store.selectVerifications,
  position: eventPosition,
  showNames: (read: Read, rows: readonly store.VerificationRow[]) =>
    withNames(read, rows.map(serializeVerification)),
  count: (read: Read, query: store.SearchQuery) =>
    countMatching(read, 'verifications', query, store.countVerifications),
});

/** Counts the verifications from before that moment, at most about `limit`. */
export const countOldVerifications = (read: Read, before: Date, limit: number): Promise<number> =>
  store.countOld(read, before, limit);

/** Deletes a batch of the verifications from before a moment. */
export const deleteOldVerifications = (w: Write, old: OldRows): Promise<DeletedRows> =>
  store.deleteOld(w, old);

export { eventFilters, eventNames, eventPosition, eventRows } from './events.js';
export { countPeople, listRefused } from './outcomes.js';
export { NamedVerification, RESULTS, Verification } from './verifications.schema.js';

/** Removes what events say of an erased person in free text. @returns how many had some */
export const stripVerifications = (w: Write, userId: string): Promise<number> =>
  store.stripVerifications(w, userId);

/** How exports read them with what their seals are made of. */
export const sealedVerifications = store.sealedVerifications;
