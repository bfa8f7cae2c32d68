import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import { listPage } from '../../http/list.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import type { CreateUserBody, ListUsersQuery, PatchUserBody } from './users.schema.js';
import * as store from './users.store.js';

export { externalIdExists, externalIdTaken, lockUserByExternalId } from './lookup.store.js';
export { User, userFields } from './users.schema.js';
export { findUser } from './users.store.js';

/** The name of a person registered by an identity alone (DECISIONS §2, Identity `userId`). */
export const nameOf = (externalId: string | undefined): string => externalId ?? 'Unnamed';

export const serializeUser = store.users.serialize;

/** 409 for a name that another user has. */
async function withUniqueExternalId<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'tenant_users_external_id_key')) fail('external_id_conflict');
    throw error;
  }
}

/** Inserts a user within another feature's write, which audits it and words its conflicts. */
export async function insertUser(
  w: Write,
  id: string,
  input: Static<typeof CreateUserBody>,
  now: Date,
): Promise<store.UserRow> {
  return (
    (await store.insertUser(w, {
      ...store.users.fromWire(input),
      id,
      environment: w.scope.environment,
      status: 'active',
      created_at: now,
      updated_at: now,
    })) ?? fail('device_not_found')
  );
}

export function createUser(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateUserBody>,
): Promise<store.UserRow> {
  const id = ids();
  w.audit({ entityType: 'user', entityId: id });
  return withUniqueExternalId(insertUser(w, id, input, new Date(clock.now())));
}

/** Changes a user; deactivating ends their sessions at once (DECISIONS §2, Revoking people). */
export async function updateUser(
  w: Write,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  input: Static<typeof PatchUserBody>,
): Promise<store.UserRow> {
  w.audit({ entityType: 'user', entityId: id });
  const row = await withUniqueExternalId(
    store.updateUser(w, id, store.users.fromWire(input), new Date(clock.now())),
  );
  return row ?? fail((await store.findUser(w, id)) ? 'device_not_found' : 'user_not_found');
}

export async function requireUser(read: Read, id: string): Promise<store.UserRow> {
  return (await store.findUser(read, id)) ?? fail('user_not_found');
}

type ListContext = Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Deps;
  query: Static<typeof ListUsersQuery>;
};

export const userList = (context: ListContext) =>
  listPage(context, 'users', { fetch: store.listUsers, show: serializeUser, position: (row) => row.id });
