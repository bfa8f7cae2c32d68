import { catchError, Failure, fail, invalid } from '../../base/errors.js';
import { NIL_UUID } from '../../base/random.js';
import type { Hit } from '../../cluster/rate-limit.js';
import { type Database, violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, Tenant } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, TenantWrite } from '../../ledger/write.js';
import { canonicalEmail } from '../../model/email.js';
import { passwordWeakness } from '../../model/password.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { isPairingOrigin, type SecurityPolicy } from '../../model/security-policy.js';
import { VISIBLE_RULE, visibleName } from '../../model/visible.js';
import { type CreatedKey, createKey } from '../keys/keys.js';
import { signConsoleToken } from './accounts.auth.js';
import * as store from './accounts.store.js';
import { recordLoginFailure } from './login-failures.js';
import { CLOSED_EMAIL, type TenantRow, toTenant } from './tenant.js';

export { LOGIN_ADDRESS_EXPIRY } from './accounts.store.js';
export { type TenantRow, toTenant } from './tenant.js';

const MINUTE_MS = 60_000;

/** The security policy of a new account. */
const FIRST_POLICY: SecurityPolicy = { protect_identities: true };

type Brief = Pick<TenantRow, 'id' | 'email' | 'plan'>;

export interface SignedUp {
  readonly token: string;
  readonly tenant: Brief;
  readonly apiKey: CreatedKey;
}

function requireStrong(password: string, email: string, companyName: string, field: string): void {
  const weakness = passwordWeakness(password, email, companyName);
  if (weakness !== undefined) {
    const details = [{ path: `body.${field}`, message: weakness }];
    fail('weak_password', { message: `The password ${weakness}.`, details });
  }
}

/** Creates the account, its two audit chains and its first live key in one transaction. */
export async function signUp(
  { deps, writeIn }: Pick<BaseContext, 'deps' | 'writeIn'>,
  input: { email: string; password: string; companyName: string },
): Promise<SignedUp> {
  const { config, passwords, ids } = deps;
  const email = canonicalEmail(input.email) ?? invalid('body.email', 'must be an e-mail address in ASCII');
  const companyName = visibleName(input.companyName) ?? invalid('body.companyName', VISIBLE_RULE);
  // No e-mail server has this domain, and closed accounts have addresses in it.
  if (email.endsWith(CLOSED_EMAIL)) invalid('body.email', 'must be an e-mail address that exists');
  requireStrong(input.password, email, companyName, 'password');
  const tenant = { id: ids(), email, companyName, plan: config.defaultPlan };
  const passwordHash = await passwords.hash(input.password);
  const scope = { tenantId: tenant.id, environment: 'live' } as const;
  try {
    const apiKey = await writeIn(
      scope,
      { type: 'console', id: tenant.id },
      'tenant.created',
      async (w) => {
        w.audit({ entityType: 'tenant', entityId: tenant.id, metadata: { plan: tenant.plan } });
        const inserted = insertAccount(w, deps, { ...tenant, passwordHash, securityPolicy: FIRST_POLICY });
        const [key] = await Promise.all([
          createKey(w, deps, { name: 'First live key', environment: 'live' }, true),
          inserted,
        ]);
        return key;
      },
      'tenant',
    );
    return { token: signConsoleToken(deps, tenant.id, 0), tenant, apiKey };
  } catch (error) {
    if (violates(error, 'tenants_email_key')) fail('email_already_registered');
    throw error;
  }
}

/** An unknown e-mail and a wrong password return the same error after the same work (DECISIONS §4). An account that is closing can log in. */
export async function logIn(
  { deps, writeIn, address, onClose }: Pick<BaseContext, 'deps' | 'writeIn' | 'address' | 'onClose'>,
  input: { email: string; password: string },
): Promise<{ token: string; tenant: Brief }> {
  const email = canonicalEmail(input.email) ?? '';
  const addressHash = deps.keyring.hmac('login', `address|${address}`);
  const guess = { email, addressHash, password: input.password };
  const { row, isRight } = await checkGuess(deps, guess, () => store.findTenantByEmail(deps.db, email));
  if (row !== undefined && !isRight) onClose(() => recordAfterwards(deps, row.id));
  if (row === undefined || !isRight) return fail('invalid_credentials');
  if (row.status !== 'active' && row.status !== 'closing') fail('tenant_inactive', { because: row.status });
  const scope = { tenantId: row.id, environment: 'live' } as const;
  await writeIn(scope, { type: 'console', id: row.id }, 'tenant.logged_in', async (w) => {
    w.audit({ entityType: 'tenant', entityId: row.id });
    await store.rememberLogin(w, addressHash, deps.clock.now());
  });
  return { token: signConsoleToken(deps, row.id, row.token_version), tenant: row };
}

function recordAfterwards(deps: Deps, tenantId: string): void {
  recordLoginFailure(deps, tenantId).catch((err: unknown) => {
    deps.log.error({ err }, 'a failed log-in is in no audit log');
  });
}

/**
 * Returns the account, if there is one, and whether the password is correct. Failures count by e-mail (hashed, known or not)
 * and address, and by e-mail alone. An address that logged in recently is exempt from the second limit, so that a stranger
 * cannot lock an owner out. An attempt is counted before the password is checked and refunded if it was correct, so concurrent
 * guesses cannot exceed the limit.
 */
async function checkGuess(
  { db, keyring, limiter, clock, passwords }: Deps,
  guess: { email: string; addressHash: string; password: string },
  find: () => Promise<TenantRow | undefined>,
): Promise<{ row: TenantRow | undefined; isRight: boolean }> {
  const { email, addressHash, password } = guess;
  const account = keyring.hmac('login', `email|${email}`);
  const windows: (readonly [string, number, number])[] = [
    [`login|${account}|${addressHash}`, 10, 15 * MINUTE_MS],
  ];
  const row = await find();
  if (!(await store.hasLoggedInFrom(db, row?.id ?? NIL_UUID, addressHash, clock.now() - store.EXEMPT_MS))) {
    windows.push([`login|${account}`, 100, 60 * MINUTE_MS]);
  }
  const taken: Hit[] = [];
  let wrong = false;
  try {
    for (const window of windows) {
      const place = await limiter.hit(...window);
      if (!place.allowed) {
        const retryAfterSeconds = Math.max(1, Math.ceil((place.retryAt - clock.now()) / 1000));
        fail('rate_limit_exceeded', { retryAfterSeconds });
      }
      taken.push(place);
    }
    // A closed account has none.
    wrong = !(await passwords.verify(row?.password_hash || undefined, password));
    return { row, isRight: !wrong };
  } finally {
    if (!wrong) for (const place of taken) await place.refund();
  }
}

/** Ends all console tokens of the account. */
export async function logOut(w: TenantWrite): Promise<void> {
  w.audit({ entityType: 'tenant', entityId: w.scope.tenantId });
  await store.raiseTokenVersion(w);
}

/** The password of an account that is logged in. Guesses count as those of a log-in. */
export async function requirePassword(
  { deps, address, principal }: Pick<BaseContext, 'deps' | 'address'> & { principal: ConsolePrincipal },
  password: string,
): Promise<void> {
  const { id, email } = principal.tenant;
  const addressHash = deps.keyring.hmac('login', `address|${address}`);
  const guess = { email, addressHash, password };
  const { isRight } = await checkGuess(deps, guess, () => store.findTenant(deps.db, id));
  if (!isRight) fail('invalid_credentials', { message: 'The current password is wrong.' });
}

/** Replaces the password and returns a new token. All older tokens end. */
export async function changePassword(
  context: Pick<BaseContext, 'deps' | 'address'> & {
    principal: ConsolePrincipal;
  },
  write: <T>(work: (w: TenantWrite) => Promise<T>) => Promise<T>,
  input: { currentPassword: string; newPassword: string },
): Promise<string> {
  const { deps, principal } = context;
  const { id, email, companyName } = principal.tenant;
  await requirePassword(context, input.currentPassword);
  requireStrong(input.newPassword, email, companyName, 'newPassword');
  const passwordHash = await deps.passwords.hash(input.newPassword);
  const version = await write(async (w) => {
    w.audit({ entityType: 'tenant', entityId: id });
    return (
      (await store.replacePassword(w, passwordHash, principal.tokenVersion)) ??
      fail('invalid_console_token', { because: 'changed concurrently' })
    );
  });
  deps.bus.publish('tenant', id);
  return signConsoleToken(deps, id, version);
}

/** Replaces the whole policy. On-chain verification depends on the plan. */
export async function replaceSecurityPolicy(
  w: TenantWrite,
  plan: TenantRow['plan'],
  policy: SecurityPolicy,
): Promise<void> {
  if (policy.providers?.verification === 'onchain' && !PLAN_LIMITS[plan].onChainVerification) {
    throw new Failure('plan_upgrade_required', {
      message: 'On-chain verification needs the growth or enterprise plan.',
    });
  }
  for (const [at, origin] of (policy.origins ?? []).entries())
    if (!isPairingOrigin(origin))
      invalid(
        `body.security_policy.origins[${at}]`,
        'must be an origin such as https://app.example.com: https, or http on a loopback address',
      );
  w.audit({ entityType: 'tenant', entityId: w.scope.tenantId });
  await store.replaceSecurityPolicy(w, policy);
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

/** Ends all console tokens of these accounts after a restore and locks their identities. */
export const lockRestored = (
  w: UnauditedWrite<'restored rows'>,
  ids: readonly string[],
  now: Date,
): Promise<void> => store.lockRestored(w, ids, now);

/** Lifts the lock of the present restore, not that of an earlier one that the owner has not confirmed. */
export const unlockRestored = (
  w: UnauditedWrite<'restored rows'>,
  id: string,
  lockedAfter: Date,
): Promise<void> => store.unlockRestored(w, id, lockedAfter);
