import { surroundingsOf } from '../../../base/address.js';
import { catchError, fail, invalid } from '../../../base/errors.js';
import { isConfirmed } from '../../../http/access.js';
import type { Deps } from '../../../http/deps.js';
import type { ConsolePrincipal, Member, TokenUse } from '../../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../../http/route.js';
import type { Read, TenantWrite, Write } from '../../../ledger/write.js';
import { canonicalEmail } from '../../../model/email.js';
import { STEP_UP_MS } from '../../../model/step-up.js';
import { iso } from '../../../records/schema.js';
import * as accounts from '../accounts.store.js';
import * as members from '../members/members.store.js';
import { type Notice, warnMember } from '../notices.js';
import { addressHashOf, checkGuess, isKnownAddress } from './guesses.js';
import { recordLoginFailure } from './login-failures.js';
import { CONSOLE_TOKEN_SECONDS, findSession, signConsoleToken } from './logins.auth.js';
import * as store from './logins.store.js';
import { requireStrong } from './strong-password.js';

const SHOWN_LOGINS = 100;
const MAX_USER_AGENT = 200;

type LoginContext = Pick<BaseContext, 'deps' | 'address' | 'node'>;
type MemberContext = Pick<BaseContext, 'deps' | 'address' | 'node'> &
  Pick<ScopedContext, 'scope' | 'write'> & { readonly principal: ConsolePrincipal };

/** The program of a request, as it calls itself. */
const userAgentOf = ({ node }: Pick<BaseContext, 'node'>): string | null =>
  node.request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT) || null;

/** Begins a log-in within the write of another rule, and remembers its address. Returns its token. */
export async function startLogin(
  w: Write,
  context: LoginContext,
  { memberId, version, use }: Pick<store.TokenClaims, 'memberId' | 'version'> & { readonly use: TokenUse },
): Promise<string> {
  const { deps, address } = context;
  const now = deps.clock.now();
  const loginId = deps.ids();
  const login = {
    id: loginId,
    memberId,
    network: surroundingsOf(address) ?? null,
    userAgent: userAgentOf(context),
    now: new Date(now),
    expiresAt: new Date(now + CONSOLE_TOKEN_SECONDS * 1000),
  };
  const addressHash = addressHashOf(context, { id: w.scope.tenantId, member_id: memberId });
  await Promise.all([store.insertLogin(w, login), accounts.rememberLogin(w, addressHash, now)]);
  return signConsoleToken(deps, { tenantId: w.scope.tenantId, memberId, loginId, version }, use);
}

/** The member with an e-mail and a password. Both unknown and wrong return the same error after the same work [members/failed-log-ins]. */
export async function memberOfPassword(
  context: Pick<BaseContext, 'deps' | 'address' | 'onClose'>,
  input: { readonly email: string; readonly password: string },
): Promise<store.LoginRow> {
  const { deps, onClose } = context;
  const email = canonicalEmail(input.email) ?? '';
  const guess = { email, password: input.password };
  const { row, isRight } = await checkGuess(context, guess, () => store.findByEmail(deps.db, email));
  if (row !== undefined && !isRight) onClose(() => recordAfterwards(deps, row.id));
  return row === undefined || !isRight ? fail('invalid_credentials') : row;
}

/** A member, as a request knows them. */
export const memberOf = (row: store.MemberRow): Member => store.memberOf(row);

/** An account that is closing can log in. */
export async function logIn(
  context: LoginContext & Pick<BaseContext, 'writeIn' | 'onClose'>,
  input: { email: string; password: string },
  use: TokenUse,
): Promise<{ token: string; row: store.LoginRow }> {
  const row = await memberOfPassword(context, input);
  return { row, token: await admit(context, row, use) };
}

/**
 * Logs in a member who has shown who they are, unless they were removed or their password was changed since. `also` adds to the same
 * write, for example the use of a passkey.
 */
export async function admit(
  context: LoginContext & Pick<BaseContext, 'writeIn' | 'onClose'>,
  row: store.LoginRow,
  use: TokenUse,
  also?: (w: Write) => Promise<void>,
): Promise<string> {
  const { deps, writeIn } = context;
  if (row.status !== 'active' && row.status !== 'closing') fail('tenant_inactive', { because: row.status });
  const scope = { tenantId: row.id, environment: 'live' } as const;
  const actor = { type: 'member', id: row.member_id } as const;
  // Asked before the log-in is remembered.
  const isNew = deps.mail !== undefined && !(await isKnownAddress(context, row));
  const token = await writeIn(scope, actor, 'member.logged_in', async (w) => {
    w.audit({ entityType: 'member', entityId: row.member_id });
    await requireSameLogin(w, row);
    await also?.(w);
    if (row.is_unlisted) await members.insertFirstOwner(w, row.member_email, row.created_at);
    return startLogin(w, context, { memberId: row.member_id, version: row.token_version, use });
  });
  if (isNew) warnMember(context, row, NEW_ADDRESS);
  return token;
}

/** The member is as they were when they showed who they are. */
export async function requireSameLogin(w: Write, row: store.LoginRow): Promise<void> {
  const current = await store.findById(w, row.id, row.member_id);
  if (
    current?.member_password_hash !== row.member_password_hash ||
    current.token_version !== row.token_version
  )
    fail('invalid_credentials', { because: 'changed concurrently' });
}

const NEW_ADDRESS: Notice = {
  subject: 'a log-in from a new address',
  what: 'Somebody logged in as you, from an address that you have not used in 30 days.',
  advice: 'choose another password, which ends your log-ins, and tell an owner of the account.',
};

/** Records a failed log-in to an account, after the response. */
export function recordAfterwards(deps: Deps, tenantId: string): void {
  recordLoginFailure(deps, tenantId).catch((err: unknown) => {
    deps.log.error({ err }, 'a failed log-in is in no audit log');
  });
}

/** Ends all tokens of a member. The first owner's also end on nodes of the version before. */
export async function endAllLogins(w: TenantWrite, memberId: string): Promise<void> {
  await Promise.all([
    store.endLogins(w, memberId),
    memberId === w.scope.tenantId ? accounts.raiseTokenVersion(w) : accounts.raiseMembersVersion(w),
  ]);
}

/** Ends all tokens of the member who asks. */
export async function logOut({ deps, write, scope, principal }: MemberContext): Promise<void> {
  await write(
    'tenant.logged_out',
    async (w: TenantWrite) => {
      w.audit({ entityType: 'tenant', entityId: scope.tenantId });
      await endAllLogins(w, principal.member.id);
    },
    'tenant',
  );
  deps.bus.publish('tenant', scope.tenantId);
}

/** The password of a member who is logged in. Guesses count as those of a log-in. */
export async function requirePassword(
  context: Pick<BaseContext, 'deps' | 'address'> & { readonly principal: ConsolePrincipal },
  password: string,
): Promise<void> {
  const { deps, principal } = context;
  const { tenant, member } = principal;
  const guess = { email: member.email, password };
  const find = () => store.findById(deps.db, tenant.id, member.id);
  const { isRight } = await checkGuess(context, guess, find);
  if (!isRight) fail('invalid_credentials', { message: 'The password is wrong.' });
}

/**
 * Replaces the member's password and returns a new token. All older tokens of the member end. Who has no password needs a confirmed log-in
 * instead.
 */
export async function changePassword(
  context: MemberContext,
  input: { currentPassword?: string; newPassword: string },
): Promise<string> {
  const { deps, principal, write } = context;
  const { tenant, member } = principal;
  if (input.currentPassword !== undefined) await requirePassword(context, input.currentPassword);
  else if (member.hasPassword) invalid('body.currentPassword', 'must be your password');
  else if (!isConfirmed(principal, deps.clock.now())) fail('step_up_required');
  requireStrong(input.newPassword, member.email, tenant.companyName, 'newPassword');
  const passwordHash = await deps.passwords.hash(input.newPassword);
  const token = await write(
    'tenant.password_changed',
    async (w: TenantWrite) => {
      w.audit({ entityType: 'tenant', entityId: tenant.id });
      await replacePassword(w, member.id, passwordHash);
      // One that may be of either kind becomes a program's: its owner knows the password.
      const { use = 'bearer' } = principal;
      return startLogin(w, context, { memberId: member.id, version: principal.tokenVersion + 1, use });
    },
    'tenant',
  );
  deps.bus.publish('tenant', tenant.id);
  return token;
}

/**
 * Replaces a password and ends the member's log-ins. Of concurrent changes by the member, all but the first fail: their log-in has ended
 * when their transaction checks it.
 */
export async function replacePassword(w: TenantWrite, memberId: string, passwordHash: string): Promise<void> {
  await Promise.all([
    memberId === w.scope.tenantId
      ? accounts.replacePassword(w, passwordHash)
      : members.setPassword(w, memberId, passwordHash),
    endAllLogins(w, memberId),
  ]);
}

/** The member confirms who they are. Returns until when that counts. */
export async function stepUp(context: MemberContext, password: string): Promise<string> {
  await requirePassword(context, password);
  return confirm(context);
}

/** The member of this log-in has shown who they are. `also` adds to the same write. */
export async function confirm(
  { deps, write, principal }: Pick<MemberContext, 'deps' | 'write' | 'principal'>,
  also?: (w: Write) => Promise<void>,
): Promise<string> {
  const { member, login } = principal;
  const now = deps.clock.now();
  const { id } = login;
  if (id === undefined) return fail('invalid_console_token', { because: 'of the version before' });
  await write('member.confirmed', async (w) => {
    w.audit({ entityType: 'member', entityId: member.id });
    await also?.(w);
    if (!(await store.confirmLogin(w, member.id, id, new Date(now))))
      fail('invalid_console_token', { because: 'ended during the request' });
  });
  return iso(new Date(now + STEP_UP_MS));
}

/** Until when the confirmation of a log-in counts. Null if it does not any more, or never did. */
export const confirmedUntil = ({ login }: ConsolePrincipal): string | null =>
  login.confirmedAt === undefined ? null : iso(new Date(login.confirmedAt + STEP_UP_MS));

/** The member's own log-ins. */
export async function listLogins({ deps, principal }: Pick<MemberContext, 'deps' | 'principal'>, read: Read) {
  const now = new Date(deps.clock.now());
  const rows = await store.listLogins(read, principal.member.id, now, SHOWN_LOGINS);
  return rows.map((row) => serializeLogin(row, principal));
}

const serializeLogin = (row: store.LoginSessionRow, { login }: ConsolePrincipal) => ({
  id: row.id,
  network: row.network,
  userAgent: row.user_agent,
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
  current: row.id === login.id,
});

/** Ends one of the member's own log-ins. */
export async function endLogin({ deps, write, scope, principal }: MemberContext, id: string): Promise<void> {
  await write('member.logged_out', (w: TenantWrite) => endOne(w, principal.member.id, id), 'tenant');
  deps.bus.publish('tenant', scope.tenantId);
}

/** Ends the log-in of this browser, if it has one. */
export async function endOwnLogin(
  context: Pick<BaseContext, 'deps' | 'writeIn' | 'isFromOwnPage' | 'cookie'>,
): Promise<void> {
  const { deps, writeIn } = context;
  const session = await findSession(deps, context);
  if (session?.login.id === undefined) return;
  const { id } = session.login;
  const { tenant, member } = session;
  const end = (w: TenantWrite) => endOne(w, member.id, id);
  const scope = { tenantId: tenant.id, environment: 'live' } as const;
  await catchError(
    'session_not_found',
    writeIn(scope, { type: 'member', id: member.id }, 'member.logged_out', end, 'tenant'),
  );
  deps.bus.publish('tenant', tenant.id);
}

async function endOne(w: TenantWrite, memberId: string, id: string): Promise<void> {
  w.audit({ entityType: 'member', entityId: memberId });
  if (!(await store.endLogin(w, memberId, id))) fail('session_not_found');
  await accounts.raiseMembersVersion(w);
}
