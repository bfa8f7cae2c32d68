import { console, route } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { nameIn, page } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { namesOf as deviceNamesOf } from '../devices/devices.js';
import { namesOf as userNamesOf } from '../users/users.js';
import * as schema from './identities.schema.js';
import * as store from './identities.store.js';

/** Identities with the names of their people and of the phones that hold their secrets. */
async function show(read: Read, rows: readonly store.IdentityRow[]) {
  const [userNames, deviceNames] = await Promise.all([
    userNamesOf(
      read,
      rows.map((row) => row.user_id),
    ),
    deviceNamesOf(
      read,
      rows.map((row) => row.device_id),
    ),
  ]);
  return rows.map((row) => ({
    id: row.id,
    did: row.did,
    userId: row.user_id,
    userName: nameIn(userNames, row.user_id),
    deviceId: row.device_id,
    deviceName: nameIn(deviceNames, row.device_id),
    createdAt: iso(row.created_at),
    revokedAt: isoOrNull(row.revoked_at),
  }));
}

export const identitiesConsole = [
  route({
    operationId: 'consoleListIdentities',
    method: 'GET',
    path: '/api/console/identities',
    summary: 'List the identities that were created on a device, newest first',
    auth: console({ role: 'auditor' }),
    schemas: { query: schema.ConsoleIdentitiesQuery },
    replies: { 200: schema.ConsoleIdentityList },
    compress: true,
    async handler({ scope, deps, query }) {
      const read = deps.history.of(scope);
      const { items, nextCursor } = await page(
        deps.cursors,
        scope,
        'identities',
        query,
        (count, before) => store.listIdentities(read, query, count, before),
        (row) => row.id,
      );
      return { identities: await show(read, items), environment: scope.environment, nextCursor };
    },
  }),
];
