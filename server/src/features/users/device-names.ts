import type { Read } from '../../ledger/write.js';
import { nameIn } from '../../records/list.js';
import { namesOf } from '../devices/devices.js';
import { serializeUser, userListing } from './users.js';
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
