import type { Static } from 'typebox';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { includes, nameIn } from '../../records/list.js';
import { namesOf } from '../devices/devices.js';
import { requireUser, serializeUser, userListing } from './users.js';
import type { GetUserQuery } from './users.schema.js';
import type { UserRow } from './users.store.js';

// Not in users.ts, which the feature of devices needs.

/** Users with the names of their primary devices. */
async function showNames(read: Read, rows: readonly UserRow[]) {
  const names = await namesOf(
    read,
    rows.map((row) => row.primary_device_id),
  );
  return rows.map((row) => ({ ...serializeUser(row), deviceName: nameIn(names, row.primary_device_id) }));
}

export const namedUserListing = { ...userListing, showNames };

export async function getUser(
  { read, query }: Pick<ScopedContext, 'read'> & { query: Static<typeof GetUserQuery> },
  id: string,
) {
  const row = await requireUser(read, id);
  const [user] = includes(query, 'names') ? await showNames(read, [row]) : [serializeUser(row)];
  return user;
}
