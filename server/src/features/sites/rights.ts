import { fail } from '../../base/errors.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { findUser, requireUser, type UserRow } from '../users/users.js';
import * as store from './sites.store.js';

type Reader = Pick<ScopedContext, 'read'> & { readonly principal: KeyPrincipal | ConsolePrincipal };

/** Whether attendance is working time in this environment: once it has a site. */
export const isTimeOn = (read: Read): Promise<boolean> => store.hasSites(read);

/**
 * Whether somebody may read the attendance of others. Once it is working time, members need a right over hours, or are owners. Keys have
 * their scope.
 */
export async function mayReadAttendance({ read, principal }: Reader): Promise<boolean> {
  if (!('member' in principal)) return true;
  const { hours, representative, role } = principal.member;
  return hours || representative || role === 'owner' || !(await isTimeOn(read));
}

/** 403 for a member who may not. */
export async function requireAttendanceReader(context: Reader): Promise<void> {
  if (!(await mayReadAttendance(context)))
    fail('role_insufficient', {
      message: 'Attendance is working time here. This needs the right hours or representative.',
    });
}

/** The sites that the rights of a member are for. Null: all, as for keys. */
export const ownSites = ({ principal }: Pick<Reader, 'principal'>): readonly string[] | null =>
  'member' in principal ? principal.member.siteIds : null;

/** Whether the rights are for this site. Those of a member who is bound to sites are for no other, and for nobody without one. */
export function isOwnSite(context: Pick<Reader, 'principal'>, siteId: string | null): boolean {
  const ids = ownSites(context);
  return ids === null || (siteId !== null && ids.includes(siteId));
}

/** The site, if the rights are for it. */
export async function requireOwnSite(context: Reader, siteId: string): Promise<store.SiteRow> {
  const site = await store.findSite(context.read, siteId);
  return site && isOwnSite(context, site.id) ? site : fail('site_not_found');
}

/** Whether the rights are for the site of this person, who may have been erased. */
export async function isOwnPerson(context: Reader, userId: string): Promise<boolean> {
  return isOwnSite(context, (await findUser(context.read, userId))?.site_id ?? null);
}

/** The person, for a write on them, if the rights are for their site. 409 if they were erased. */
export async function requireOwnPerson(context: Reader, userId: string): Promise<UserRow> {
  const user = await requireUser(context.read, userId);
  if (!isOwnSite(context, user.site_id)) fail('user_not_found');
  return user.erased_at === null ? user : fail('user_erased');
}
