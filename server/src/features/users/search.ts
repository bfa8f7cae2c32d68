import type { Read } from '../../ledger/write.js';
import { nameIn } from '../../records/console-list.js';
import { countMatching } from '../../records/counts.js';
import { namesOf } from '../devices/devices.js';
import { serializeUser } from './users.js';
import * as store from './users.store.js';

/** Users with the names of their primary devices. */
async function showUsers(read: Read, rows: readonly store.UserRow[]) {
  const names = await namesOf(
    read,
    rows.map((row) => row.primary_device_id),
  );
  return rows.map((row) => ({ ...serializeUser(row), deviceName: nameIn(names, row.primary_device_id) }));
}

export async function showUser(read: Read, row: store.UserRow) {
  const [user] = await showUsers(read, [row]);
  return user as NonNullable<typeof user>;
}

/** The list of the console. */
export const searchedUsers = {
  fetch: store.searchUsers,
  position: store.userPosition,
  count: (read: Read, query: store.UserSearch) =>
    countMatching(read, 'tenant_users', query, store.countUsers),
  show: showUsers,
};
