import { isDeepStrictEqual } from 'node:util';
import { type Actor, isReception, requireAct } from '../../http/access.js';
import type { Read, Write } from '../../ledger/write.js';
import { valueAt } from '../../model/claim-paths.js';
import { listClaimPaths } from './claims.store.js';
import { userColumns } from './users.schema.js';
import type { UserRow } from './users.store.js';

/** What claims of applications come from. The name is no claim that decides anything, so it is not guarded. */
type Claimable = Partial<Pick<UserRow, 'email' | 'email_from_device' | 'metadata'>>;

const NOBODY: Claimable = {};

const emailOf = ({ email, email_from_device }: Claimable) => (email_from_device ? null : (email ?? null));

/** Whether an application gets another claim after a change. Without another e-mail or other metadata, this costs no statement. */
export async function changesClaims(read: Read, after: Claimable, before = NOBODY): Promise<boolean> {
  const isEmailNew = emailOf(before) !== emailOf(after);
  if (!isEmailNew && isDeepStrictEqual(before.metadata ?? null, after.metadata ?? null)) return false;
  const isNew = (path: string) =>
    path === 'email'
      ? isEmailNew
      : !isDeepStrictEqual(valueAt(before.metadata, path), valueAt(after.metadata, path));
  return [...(await listClaimPaths(read))].some(isNew);
}

/** A new person as they will be stored: nobody has confirmed an e-mail that reception typed. */
export const asTyped = <P extends Pick<Claimable, 'email' | 'metadata'>>(caller: Actor, person: P) => ({
  ...person,
  email_from_device: isReception(caller) && person.email != null,
});

/** Refuses a change of claims to a caller who may not write what becomes a claim. @returns whether it changes one */
export async function guardClaims(
  w: Write,
  caller: Actor,
  now: number,
  ...[after, before]: readonly [after: Claimable, before?: Claimable]
): Promise<boolean> {
  const changes = await changesClaims(w, after, before);
  if (changes) requireAct('write_claims', caller, w.scope.environment, now);
  return changes;
}

/** A name that says nothing about somebody: what a path of a claim may name, and no number. */
const NAME = /^[A-Za-z_][\w-]{0,63}$/;
const MAX_NAMES = 20;

/** The names of what differs in metadata, at the first level; `metadata` alone for a name that could be anything, and for many. */
function changedMetadata(before: UserRow['metadata'], after: UserRow['metadata']): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
  if (changed.length > MAX_NAMES) return ['metadata'];
  const shown = changed.map((name) => (NAME.test(name) ? `metadata.${name}` : 'metadata'));
  return shown.length === 0 && (before === null) !== (after === null) ? ['metadata'] : [...new Set(shown)];
}

const FIELDS = Object.entries(userColumns).filter(([name]) => !['updatedAt', 'metadata'].includes(name));

/** The names of the fields in which two states of a user differ, without their values. */
export function changedFields(before: UserRow, after: UserRow): string {
  const changed = FIELDS.filter(([, { column }]) => !isDeepStrictEqual(before[column], after[column]));
  const names = [...changed.map(([name]) => name), ...changedMetadata(before.metadata, after.metadata)];
  return names.sort().join(' ');
}
