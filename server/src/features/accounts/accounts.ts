import { catchError, fail, invalid } from '../../base/errors.js';
import { type Database, violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, TenantWrite } from '../../ledger/write.js';
import { canonicalEmail } from '../../model/email.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { VISIBLE_RULE, visibleName } from '../../model/visible.js';
import * as store from './accounts.store.js';
import { CONSOLE_TOKEN_SECONDS } from './logins/logins.auth.js';
import { startLogin } from './logins/logins.js';
import { endRestored } from './logins/logins.store.js';
import { endRestoredResets } from './logins/password-reset.store.js';
import { setOwnSession, useOf } from './logins/session-cookie.js';
import { requireStrong } from './logins/strong-password.js';
import { insertFirstOwner } from './members/members.store.js';
import { CLOSED_EMAIL, type TenantRow, toTenant } from './tenant.js';

export { Email, Password, TenantBrief } from './accounts.schema.js';
export { LOGIN_ADDRESS_EXPIRY } from './accounts.store.js';
export { memberOf, memberOfPassword, requireSameLogin } from './logins/logins.js';
export { LOGIN_SESSION_EXPIRY } from './logins/logins.store.js';
export { idsOfOwners, linkToUser, lowerWithin, removeWithin, userOfMember } from './members/members.js';
export { type NoticeContext, warnOwners } from './notices.js';
export { removePasskeyWithin } from './passkeys/passkeys.js';
export { AuthenticationCredential } from './passkeys/passkeys.schema.js';
export { memberOfPasskey } from './passkeys/sign-in.js';
export { type TenantRow, toTenant } from './tenant.js';

/** The security policy of a new account, and of one that asks for the recommended one, as the page for signing up does. */
const FIRST_POLICY: SecurityPolicy = { protect_identities: true };
const RECOMMENDED_POLICY: SecurityPolicy = {
  ...FIRST_POLICY,
  pairing_match: 'type',
  deprecated_verify: 'off',
};

type Brief = Pick<TenantRow, 'id' | 'email' | 'plan'>;

/** The account as a log-in returns it. */
export const brief = ({ id, email, plan }: Brief): Brief => ({ id, email, plan });

export interface SignedUp<K> {
  readonly token: string;
  readonly tenant: Brief;
  readonly apiKey: K;
}

/** Creates the account, its two audit chains and its first live key in one transaction, and logs its owner in. */
export async function signUp<K>(
  context: Pick<BaseContext, 'deps' | 'writeIn' | 'address' | 'node' | 'isFromOwnPage' | 'setCookie'>,
  input: { email: string; password: string; companyName: string; preset?: 'recommended' },
  createFirstKey: (w: TenantWrite) => Promise<K>,
): Promise<SignedUp<K>> {
  const { deps, writeIn } = context;
  const { config, passwords, ids, clock } = deps;
  const email = canonicalEmail(input.email) ?? invalid('body.email', 'must be an e-mail address in ASCII');
  const companyName = visibleName(input.companyName) ?? invalid('body.companyName', VISIBLE_RULE);
  // No e-mail server has this domain, and closed accounts have addresses in it.
  if (email.endsWith(CLOSED_EMAIL)) invalid('body.email', 'must be an e-mail address that exists');
  requireStrong(input.password, email, companyName, 'password');
  const { preset } = input;
  const securityPolicy = preset === undefined ? FIRST_POLICY : RECOMMENDED_POLICY;
  const tenant = { id: ids(), email, companyName, plan: config.defaultPlan };
  const passwordHash = await passwords.hash(input.password);
  const scope = { tenantId: tenant.id, environment: 'live' } as const;
  try {
    const { apiKey, token } = await writeIn(
      scope,
      { type: 'member', id: tenant.id },
      'tenant.created',
      async (w) => {
        const metadata = { plan: tenant.plan, ...(preset && { preset }) };
        w.audit({ entityType: 'tenant', entityId: tenant.id, metadata });
        const inserted = insertAccount(w, deps, { ...tenant, passwordHash, securityPolicy });
        const [created, started] = await Promise.all([
          createFirstKey(w),
          startLogin(w, context, { memberId: tenant.id, version: 0, use: useOf(context) }),
          insertFirstOwner(w, email, new Date(clock.now())),
          inserted,
        ]);
        return { apiKey: created, token: started };
      },
      'tenant',
    );
    setOwnSession(context, token, CONSOLE_TOKEN_SECONDS);
    return { token, tenant: brief(tenant), apiKey };
  } catch (error) {
    if (violates(error, 'tenants_email_key') || violates(error, 'members_email_key'))
      fail('email_already_registered');
    throw error;
  }
}

/** Changes the company name, within the write of another rule. */
export const renameAccount = (w: TenantWrite, companyName: string): Promise<void> =>
  store.renameTenant(w, companyName);

/** A statement that finds the account only while it is active, for checking a write again in its transaction. */
export const activeAccount = (id: string) => store.activeTenant(id);

/** The account with this id, for checking a credential. */
export async function findAccount({ db }: Pick<Deps, 'db'>, id: string): Promise<Tenant | undefined> {
  const row = await store.findTenant(db, id);
  return row && toTenant(row);
}

/** Inserts an account with the empty heads of its two audit chains, within the write of another rule. */
export const insertAccount = (
  w: TenantWrite,
  { keyring, clock }: Pick<Deps, 'keyring' | 'clock'>,
  tenant: store.NewTenant,
): Promise<unknown> => store.insertTenant(w, tenant, keyring.current, clock.now());

/** The state of each account that its open streams depend on. */
export const tenantStates = (db: Database, ids: readonly string[]) => store.tenantStates(db, ids);

/** The owner accepts the identities after a restore, which has locked them. Repeating it changes nothing. */
export async function confirmRestore({
  read,
  write,
  scope,
}: Pick<ScopedContext, 'read' | 'write' | 'scope'>): Promise<void> {
  if ((await store.identitiesLockedAt(read)) === null) return;
  const confirming = write(
    'tenant.restore_confirmed',
    async (w: TenantWrite) => {
      w.audit({ entityType: 'tenant', entityId: scope.tenantId });
      if (!(await store.unlockIdentities(w))) fail('not_found', { because: 'confirmed concurrently' });
    },
    'tenant',
  );
  await catchError('not_found', confirming);
}

/** Since when the account's identities are locked after a restore. Null: they are not. */
export const identitiesLockedAt = (read: Read): Promise<Date | null> => store.identitiesLockedAt(read);

/** Ends all log-ins to these accounts after a restore and locks their identities. */
export async function lockRestored(
  w: UnauditedWrite<'restored rows'>,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  for (const id of ids) {
    await endRestored(w, id);
    await endRestoredResets(w, id);
  }
  await store.lockRestored(w, ids, now);
}

/** Lifts the lock of the present restore, not that of an earlier one that the owner has not confirmed. */
export const unlockRestored = (
  w: UnauditedWrite<'restored rows'>,
  id: string,
  lockedAfter: Date,
): Promise<void> => store.unlockRestored(w, id, lockedAfter);
