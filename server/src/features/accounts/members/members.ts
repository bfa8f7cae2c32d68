import { sha256 } from '../../../base/crypto/keyring.js';
import { fail, invalid } from '../../../base/errors.js';
import { violates } from '../../../db/db.js';
import type { Sql } from '../../../db/sql.js';
import type { ConsolePrincipal } from '../../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../../http/route.js';
import type { TenantWrite } from '../../../ledger/write.js';
import { canonicalEmail } from '../../../model/email.js';
import { mailedName } from '../../../model/mailed-name.js';
import { hasRole, type Role } from '../../../model/roles.js';
import { VISIBLE_RULE, visibleName } from '../../../model/visible.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import * as accounts from '../accounts.store.js';
import { endAllLogins } from '../logins/logins.js';
import { deletePasskeys } from '../passkeys/passkeys.store.js';
import { CLOSED_EMAIL } from '../tenant.js';
import type { INVITATION_MAIL } from './members.schema.js';
import * as store from './members.store.js';

/** Members and invitations of an account. */
const MAX_MEMBERS = 200;
/** Invitations of an account that are sent by mail in an hour. */
const MAX_MAILS = 20;
const HOUR_MS = 60 * 60_000;
const INVITATION_MS = 7 * 24 * 60 * 60_000;

type MembersContext = Pick<BaseContext, 'deps'> &
  Pick<ScopedContext, 'scope' | 'read' | 'write'> & { readonly principal: ConsolePrincipal };

export const serializeMember = (row: store.MemberRow) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  hours: row.hours,
  representative: row.representative,
  siteIds: row.site_ids,
  status: row.status,
  createdAt: iso(row.created_at),
  joinedAt: isoOrNull(row.joined_at),
  invitationExpiresAt: isoOrNull(row.invitation_expires_at),
});

/** A member's name. @throws Failure `invalid_request` */
export const memberName = (text: string, field: string): string =>
  visibleName(text) ?? invalid(`body.${field}`, VISIBLE_RULE);

/** Invites an e-mail. Returns the link, which only this response contains. */
export async function invite(
  { deps, scope, read, write, principal }: MembersContext,
  input: { readonly email: string; readonly role: Role },
) {
  const email = canonicalEmail(input.email) ?? invalid('body.email', 'must be an e-mail address in ASCII');
  if (email.endsWith(CLOSED_EMAIL)) invalid('body.email', 'must be an e-mail address that exists');
  // Members see each other's e-mails, so this tells nothing about other accounts.
  if (await store.isMember(read, email)) invalid('body.email', 'is already a member of this account');
  const now = deps.clock.now();
  const token = Buffer.from(deps.random.bytes(32)).toString('base64url');
  const expiresAt = new Date(now + INVITATION_MS);
  const invitation = {
    ...{ id: deps.ids(), email, role: input.role, invitationHash: sha256(token) },
    ...{ invitedBy: principal.member.id, now: new Date(now), expiresAt },
  };
  const row = await write(
    'member.invited',
    async (w: TenantWrite) => {
      w.audit({ entityType: 'member', entityId: invitation.id, metadata: { role: input.role } });
      const inserted = await store.insertInvitation(w, invitation);
      if ((await store.countMembers(w)) > MAX_MEMBERS) fail('member_limit_reached');
      await accounts.raiseMembersVersion(w);
      return inserted;
    },
    'tenant',
  );
  const link = `${deps.config.baseUrl}/dashboard/join#${token}`;
  const mail = await mailOf({ deps, scope, read, principal });
  if (mail === 'sent') {
    const company = mailedName(principal.tenant.companyName);
    deps.mail?.send({
      to: email,
      subject: 'An invitation to join an account',
      text: `You were invited to ${company === undefined ? 'an account' : `the account of ${company}`} as ${input.role}.\n\nJoin here, until ${iso(expiresAt)}:\n${link}\n\nIf you did not expect this, ignore this message.\n`,
    });
  }
  deps.bus.publish('tenant', scope.tenantId);
  return { member: serializeMember(row), invitation: { link, expiresAt: iso(expiresAt), mail } };
}

/**
 * Whether an invitation is mailed, or why not. The account gets the link in any case. Nobody should use the service to send mail to
 * strangers, so its owner needs an address at which somebody reads mail.
 */
async function mailOf({
  deps: { mail, limiter },
  scope,
  read,
  principal,
}: Pick<MembersContext, 'deps' | 'scope' | 'read' | 'principal'>): Promise<(typeof INVITATION_MAIL)[number]> {
  if (mail === undefined) return 'off';
  if (!(await store.hasConfirmedEmail(read, principal.member.id))) return 'unconfirmed';
  return (await limiter.hit(`invitations|${scope.tenantId}`, MAX_MAILS, HOUR_MS)).allowed
    ? 'sent'
    : 'limited';
}

/** Changes a member's role, rights or name. What they may no longer do ends immediately. */
export async function changeMember(
  { deps, scope, write }: MembersContext,
  id: string,
  input: Omit<store.MemberChanges, 'name'> & { readonly name?: string },
) {
  const name = input.name === undefined ? undefined : memberName(input.name, 'name');
  const row = await write(
    'member.role_changed',
    async (w: TenantWrite) => {
      const current = (await store.findMember(w, id)) ?? fail('member_not_found');
      const changed = await store.changeMember(w, id, { ...input, name });
      if (changed === undefined) return fail('last_owner');
      const about = { entityType: 'member', entityId: id } as const;
      const rights = { hours: changed.hours, representative: changed.representative };
      const hasNewRights = rights.hours !== current.hours || rights.representative !== current.representative;
      if (current.role === changed.role)
        w.audit({ ...about, action: 'member.changed', ...(hasNewRights && { metadata: rights }) });
      else
        w.audit({
          ...about,
          metadata: { from: current.role, to: changed.role, ...(hasNewRights && rights) },
        });
      if (changed.role !== 'owner') await withdrawInvitationsOf(w, id);
      await accounts.raiseMembersVersion(w);
      return changed;
    },
    'tenant',
  );
  deps.bus.publish('tenant', scope.tenantId);
  return serializeMember(row);
}

/** Removes a member, whose log-ins end, or withdraws an invitation. */
export async function removeMember({ deps, scope, write }: MembersContext, id: string) {
  const row = await write('member.removed', (w: TenantWrite) => removeWithin(w, id), 'tenant');
  deps.bus.publish('tenant', scope.tenantId);
  return serializeMember(row);
}

/** Only owners invite, so nobody joins by the invitation of somebody who stopped being one, also if they are one again later. */
async function withdrawInvitationsOf(w: TenantWrite, invitedBy: string): Promise<void> {
  for (const { id: entityId, role } of await store.withdrawInvitations(w, invitedBy))
    w.audit({ action: 'member.removed', entityType: 'member', entityId, metadata: { role, invitedBy } });
}

/** Removes a member within the write of another rule. */
export async function removeWithin(w: TenantWrite, id: string): Promise<store.MemberRow> {
  const current = (await store.findMember(w, id)) ?? fail('member_not_found');
  if (!(await store.removeMember(w, id))) fail('last_owner');
  w.audit({ entityType: 'member', entityId: id, metadata: { role: current.role } });
  await withdrawInvitationsOf(w, id);
  await endAllLogins(w, id);
  await deletePasskeys(w, id);
  // A node of the version before would still accept it.
  if (id === w.scope.tenantId) await accounts.replacePassword(w, '');
  return current;
}

/** Gives a member a lower role, within the write of another rule. Fails for one who has that role or a lower one. */
export async function lowerWithin(w: TenantWrite, id: string, role: Role): Promise<void> {
  const current = (await store.findMember(w, id)) ?? fail('member_not_found');
  if (hasRole(role, current.role)) fail('member_not_found', { because: 'has no higher role' });
  if ((await store.changeMember(w, id, { role })) === undefined) fail('last_owner');
  w.audit({ entityType: 'member', entityId: id, metadata: { from: current.role, to: role } });
  if (role !== 'owner') await withdrawInvitationsOf(w, id);
  await accounts.raiseMembersVersion(w);
}

/** The invitation that a token belongs to. @throws Failure `invitation_not_found` */
export const requireInvitation = async (
  { db, clock }: Pick<MembersContext['deps'], 'db' | 'clock'>,
  token: string,
): Promise<store.Invitation> =>
  (await store.findInvitation(db, sha256(token), new Date(clock.now()))) ?? fail('invitation_not_found');

/** Accepts an invitation within the write of another rule. Its e-mail is that of one member of the service. */
export async function acceptInvitation(
  w: TenantWrite,
  token: string,
  joining: Parameters<typeof store.acceptInvitation>[2],
  now: number,
): Promise<store.MemberRow> {
  const row =
    (await store.acceptInvitation(w, sha256(token), joining, new Date(now))) ?? fail('invitation_not_found');
  w.audit({ entityType: 'member', entityId: row.id, metadata: { role: row.role } });
  await accounts.raiseMembersVersion(w);
  return row;
}

export const isTaken = (error: unknown): boolean => violates(error, 'members_email_key');

/** Notes which person a member is, as their phone has shown. False if there is no such member, or they are another person. */
export const linkToUser: typeof store.linkToUser = (w, id, userId) => store.linkToUser(w, id, userId);

/** The person that a member is, as their phone has shown. */
export const userOfMember: typeof store.userOf = (read, id) => store.userOf(read, id);

/** An SQL expression: the ids of the owners who can log in now, as an array. */
export const idsOfOwners = (tenantId: string): Sql => store.idsOfOwners(tenantId);
