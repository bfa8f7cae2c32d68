import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read } from '../../ledger/write.js';
import { nameIn, type PageQuery, page } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { namesOf as deviceNamesOf } from '../devices/devices.js';
import { requireUser } from '../users/users.js';
import * as store from './persons.store.js';

/** The identities of a person that are not revoked, newest first. */
export const listUnrevoked = (read: Read, userId: string): Promise<store.PersonsIdentityRow[]> =>
  store.listUnrevoked(read, userId);

/** A page of a user's identities, newest first. */
export async function listOfUser(
  {
    scope,
    deps,
    query,
  }: {
    readonly scope: Scope;
    readonly deps: Pick<Deps, 'cursors' | 'history'>;
    readonly query: PageQuery;
  },
  userId: string,
) {
  const read = deps.history.of(scope);
  const [{ items, nextCursor }] = await Promise.all([
    page(
      deps.cursors,
      scope,
      `identities|${userId}`,
      query,
      (count, before) => store.listOfPerson(read, userId, count, before),
      ({ id }) => id,
    ),
    requireUser(read, userId),
  ]);
  const names = await deviceNamesOf(
    read,
    items.map(({ device_id }) => device_id),
  );
  return {
    identities: items.map((row) => ({
      id: row.id,
      did: row.did,
      deviceId: row.device_id,
      deviceName: nameIn(names, row.device_id),
      attestationKind: row.attestation_kind,
      createdAt: iso(row.created_at),
      lastUsedAt: isoOrNull(row.last_used_at),
      inForceAt: isoOrNull(row.in_force_at),
      revokedAt: isoOrNull(row.revoked_at),
      rotations: row.rotations,
    })),
    environment: scope.environment,
    nextCursor,
  };
}
