import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import type { Sql } from '../../db/sql.js';
import { type Actor, isReception, mayAct, requireAct, requireRole } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read, Write } from '../../ledger/write.js';
import { countMatching } from '../../records/counts.js';
import { withExternalId } from '../../records/external-id.js';
import { recordListing } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { asTyped, changedFields, guardClaims } from './claims.js';
import * as lookup from './lookup.store.js';
import type {
  CreateUserBody,
  ImportedUser,
  NameSource as NameSourceSchema,
  PatchUserBody,
} from './users.schema.js';
import * as store from './users.store.js';

export { asTyped, guardClaims } from './claims.js';
export { ATTENDANCE_FROM, NameSource, USER_STATUSES, User, userFields } from './users.schema.js';

/** The name of a user registered only by an identity [identities/person-of-an-identity]. */
export const nameOf = (externalId: string | undefined): string => externalId ?? 'Unnamed';

export type UserRow = store.UserRow;

export const serializeUser = store.users.serialize;

const given = (w: Write, id: string, externalId: string | null | undefined) => ({
  externalId,
  isTaken: (text: string) => lookup.externalIdTaken(w, text, id),
  constraint: 'tenant_users_external_id_key',
});

/** Inserts a user within another feature's write, which audits it and reports conflicts. */
export async function insertUser(
  w: Write,
  id: string,
  input: Static<typeof CreateUserBody>,
  now: Date,
  known: Partial<Pick<store.UserRow, 'email_from_device' | 'name_confirmation'>> = {},
): Promise<store.UserRow> {
  const user = { ...newUser(w, id, input, now), ...known };
  const [isTaken, row] = await withExternalId(given(w, id, input.externalId), () =>
    numbered(store.insertUser(w, user)),
  );
  if (isTaken) fail('external_id_conflict');
  return row ?? failUnknown(w, input);
}

/** What a new or changed user refers to and is not there. */
async function failUnknown(w: Write, { siteId }: { readonly siteId?: string | null }): Promise<never> {
  return fail(siteId && !(await store.siteExists(w, siteId)) ? 'site_not_found' : 'device_not_found');
}

/** The number of a person is unique at their site. */
const numbered = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) =>
    violates(error, 'tenant_users_site_number') ? fail('employee_code_taken') : Promise.reject(error),
  );

const newUser = (w: Write, id: string, input: Static<typeof CreateUserBody>, now: Date) => ({
  ...store.users.fromWire(input),
  id,
  environment: w.scope.environment,
  status: 'active' as const,
  email_from_device: false,
  created_at: now,
  updated_at: now,
  erased_at: null,
});

/** Inserts a user within a write that audits it, unless another has the externalId. Returns whether it did. */
export const insertUnlessKnown = async (
  w: Write,
  id: string,
  input: Static<typeof ImportedUser>,
  now: Date,
): Promise<boolean> => (await store.insertUnlessKnown(w, newUser(w, id, input, now))) !== undefined;

/** The audit entry of something that gives an application a claim says so. */
export const claimsEntry = (claims: boolean) => (claims ? { claims } : {});

export async function createUser(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  caller: Actor,
  input: Static<typeof CreateUserBody>,
): Promise<store.UserRow> {
  const id = ids();
  const now = clock.now();
  let claims = false;
  w.audit(() => ({ entityType: 'user', entityId: id, metadata: claimsEntry(claims) }));
  const typed = asTyped(caller, input);
  const { email_from_device } = typed;
  const inserted = insertUser(w, id, input, new Date(now), { email_from_device });
  const [row, given] = await Promise.all([inserted, guardClaims(w, caller, now, typed)]);
  claims = given;
  return row;
}

/**
 * Updates a user. Deactivating ends the user's sessions immediately [identities/revoking]. An e-mail from a device is
 * confirmed when somebody who may write claims sends it.
 */
export async function updateUser(
  w: Write,
  { clock, effects }: Pick<Deps, 'clock' | 'effects'>,
  caller: Actor,
  id: string,
  input: Static<typeof PatchUserBody>,
): Promise<store.UserRow> {
  const now = clock.now();
  const at = new Date(now);
  const email = isReception(caller)
    ? 'typed'
    : mayAct('write_claims', caller, w.scope.environment, now)
      ? 'confirmed'
      : 'known';
  let metadata = {};
  w.audit(() => ({ entityType: 'user', entityId: id, metadata }));
  const [isTaken, [before, row]] = await withExternalId(given(w, id, input.externalId), () =>
    Promise.all([
      store.lockUser(w, id),
      numbered(store.updateUser(w, id, store.users.fromWire(input), at, email)),
      // After the user's row is locked, so that sessions of verifications that committed before are visible.
      input.status === 'inactive' ? effects.userDeactivated(w, id, at) : undefined,
    ]),
  );
  if (before === undefined) return fail('user_not_found');
  if (before.erased_at !== null) return fail('user_erased');
  await requireMore(w, caller, id, input);
  if (isTaken) fail('external_id_conflict');
  if (row === undefined) return failUnknown(w, input);
  if (before.status !== 'active' && row.status === 'active')
    requireAct('readmit', caller, w.scope.environment, now);
  // A member who sends it means to confirm it. A program may send all of what it knows.
  if ('member' in caller && before.email_from_device && input.email === before.email)
    requireAct('write_claims', caller, w.scope.environment, now);
  metadata = { fields: changedFields(before, row), claims: await guardClaims(w, caller, now, row, before) };
  return row;
}

type NameSource = Static<typeof NameSourceSchema>;

/** Who confirms a name, and how they know it. */
export interface NameConfirmed {
  readonly memberId: string;
  readonly deviceId: string | null;
  readonly how: NameSource;
}

export const nameConfirmation = ({ memberId, deviceId, how }: NameConfirmed, at: Date) => ({
  memberId,
  deviceId,
  at: iso(at),
  how,
});

/** A member confirms the name that a person has, within a write that audits it. */
export async function confirmNameWithin(
  w: Write,
  id: string,
  by: NameConfirmed,
  now: Date,
): Promise<store.UserRow> {
  const row = await store.confirmName(w, id, nameConfirmation(by, now), now);
  return row ?? fail((await store.findUser(w, id)) ? 'user_erased' : 'user_not_found');
}

/** A member confirms the name of a person in the dashboard. */
export async function confirmName(
  w: Write,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  by: NameConfirmed,
): Promise<store.UserRow> {
  w.audit({ entityType: 'user', entityId: id, metadata: { fields: 'nameConfirmation', how: by.how } });
  return confirmNameWithin(w, id, by, new Date(clock.now()));
}

/** Of somebody with a phone, notices and claims go where the record says: reception only deactivates them. */
async function requireMore(
  w: Write,
  caller: Actor,
  id: string,
  { status: _, ...changes }: Static<typeof PatchUserBody>,
): Promise<void> {
  if (!('member' in caller) || !isReception(caller) || Object.keys(changes).length === 0) return;
  if (await store.hadIdentity(w, id)) requireRole(caller, 'developer');
}

/** Makes a phone that was just registered the person's primary device, within a write that audits it. Undefined if there is no such user. */
export const usePrimaryDevice = (
  w: Write,
  id: string,
  deviceId: string,
  now: Date,
): Promise<store.UserRow | undefined> => store.updateUser(w, id, { primary_device_id: deviceId }, now);

/** Active people whose name has these words, one after another. */
export const findByWords = lookup.findByWords;

export const findUser = (read: Read, id: string): Promise<store.UserRow | undefined> =>
  store.findUser(read, id);

export async function requireUser(read: Read, id: string): Promise<store.UserRow> {
  return (await store.findUser(read, id)) ?? fail('user_not_found');
}

/** The user, for a write on it. 409 if the person was erased. */
export async function requireLiving(read: Read, id: string): Promise<store.UserRow> {
  const user = await requireUser(read, id);
  return user.erased_at === null ? user : fail('user_erased');
}

/** Locks the user, so concurrent decisions about the user run one after another. */
export const lockUserByExternalId = (w: Write, externalId: string): Promise<{ id: string } | undefined> =>
  lookup.lockUserByExternalId(w, externalId);

/** Pairs of users from before external ids were compared in one form. */
export const listEqualIds = lookup.listEqualIds;

export const externalIdTaken = (read: Read, externalId: string): Promise<boolean> =>
  lookup.externalIdTaken(read, externalId);

/** An SQL condition: a user of that tenant and environment has that external id. */
export const externalIdExists = (scope: Scope, externalId: Sql): Sql =>
  lookup.externalIdExists(scope, externalId);

/** The e-mails of active people. One that nobody confirmed is none. */
export const confirmedEmails = (read: Read, ids: readonly string[]) => store.confirmedEmails(read, ids);

/** The names of the people with these ids. */
export async function namesOf(
  read: Read,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const people = await peopleOf(read, ids);
  return new Map([...people].map(([id, { name }]) => [id, name]));
}

/** The names of the people with these ids, and whether they are active. */
export async function peopleOf(read: Read, ids: readonly (string | null)[]) {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = known.length === 0 ? [] : await store.listNames(read, known);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** The first name of the person of an attendance event, as a desk greets them. */
export async function firstNameOf(read: Read, attendanceId: string): Promise<string | undefined> {
  const name = await store.findNameOfEvent(read, attendanceId);
  return name?.split(/\s+/, 1)[0];
}

/** How many people were added since a moment, at most about 10,000. */
export const countAdded = (read: Read, since: number): Promise<number> =>
  store.countUsers(read, { from: new Date(since).toISOString() });

export const userListing = recordListing({
  record: store.users,
  select: store.selectUsers,
  position: store.userPosition,
  count: (read: Read, query: store.UserSearch) =>
    countMatching(read, 'tenant_users', query, store.countUsers),
});

/** Removes everything personal from a user's own row, unless that was done before. */
export const eraseUser = (w: Write, id: string, erasure: store.Erasure): Promise<void> =>
  store.eraseUser(w, id, erasure);

/** The erasure of a user. Undefined if there was none. */
export const findErasure = (read: Read, id: string): Promise<store.ErasureRow | undefined> =>
  store.findErasure(read, id);

/** How many people a key has erased since then, and when it erased the first of them. */
export const countErasures = (read: Read, keyId: string | null, since: Date) =>
  store.countErasures(read, keyId, since);

/** The user's primary device, if it is a phone of nobody else. */
export const findOwnPhone = (read: Read, id: string): Promise<string | undefined> =>
  store.findOwnPhone(read, id);

/** How exports read them with what their seals are made of. */
export const sealedUsers = store.sealedUsers;
