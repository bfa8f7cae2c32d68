import type { Passwords } from '../../base/crypto/passwords.js';
import type { Random } from '../../base/crypto/random.js';
import type { Bus } from '../../cluster/bus.js';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { Actor, TenantWrite } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { canonicalEmail } from '../../model/email.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';
import { passwordWeakness } from '../../model/password.js';
import type { Plan } from '../../model/plans.js';
import { iso, isoOrNull } from '../../records/schema.js';
import * as store from './accounts.store.js';
import { startClosing } from './closing.js';
import { replacePassword } from './logins/logins.js';
import { findByEmail, findById, type LoginRow } from './logins/logins.store.js';
import { CLOSING_MS, type TenantRow } from './tenant.js';

/** Operator actions on accounts. Only the command line performs them: the admin HTTP endpoints are read-only [service/operator-commands]. */
export interface AdministrationDeps extends Pick<Deps, 'db' | 'write' | 'keyring'> {
  readonly random: Random;
  readonly passwords: Passwords;
  /** Notifies the open streams of this process, if it serves any. */
  readonly bus: Pick<Bus, 'publish'>;
}

/** The operator named an account that does not exist. */
export class UnknownTenantError extends Error {
  override readonly name = 'UnknownTenantError';
}

const OPERATOR: Actor = { type: 'system', id: null };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const serializeTenant = (row: TenantRow) => ({
  id: row.id,
  email: row.email,
  companyName: row.company_name,
  plan: row.plan,
  status: row.status,
  createdAt: iso(row.created_at),
  closesAt: isoOrNull(row.closes_at),
});

export async function listTenants(db: Database, filter: store.TenantListFilter, limit: number) {
  const rows = await store.listTenants(db, filter, limit + 1);
  const tenants = rows.slice(0, limit).map(serializeTenant);
  return { tenants, after: rows.length > limit ? (tenants.at(-1)?.id ?? null) : null };
}

/** What the operator asked for does not fit an account that is closing or closed. */
export class ClosedAccountError extends Error {
  override readonly name = 'ClosedAccountError';
}

/** Finds an account by id or e-mail. One whose records are deleted does not change any more. */
async function findByName(db: Database, name: string): Promise<TenantRow> {
  const email = canonicalEmail(name);
  const row = UUID.test(name)
    ? await store.findTenant(db, name)
    : email === undefined
      ? undefined
      : await store.findTenantByEmail(db, email);
  if (row?.status === 'closed')
    throw new ClosedAccountError(`The account ${row.id} is closed, and its records are deleted.`);
  if (row) return row;
  throw new UnknownTenantError(`There is no account ${JSON.stringify(name)}. Give its id or its e-mail.`);
}

class Unchanged extends Error {}

/** Runs one guarded statement, writes its event to the live chain and notifies streams. If nothing changes, nothing is written. */
async function change(
  deps: AdministrationDeps,
  name: string,
  action: AuditAction,
  update: (w: TenantWrite) => Promise<store.Changed | undefined>,
) {
  const { id } = await findByName(deps.db, name);
  const scope = { tenantId: id, environment: 'live' } as const;
  const request = { scope, actor: OPERATOR, action, locks: 'tenant' } as const;
  let changed = true;
  try {
    await deps.write(request, async (w) => {
      const metadata = await update(w);
      if (metadata === undefined) throw new Unchanged();
      w.audit({ entityType: 'tenant', entityId: id, metadata: { ...metadata } });
    });
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
    changed = false;
  }
  deps.bus.publish('tenant', id);
  return { tenant: serializeTenant((await store.findTenant(deps.db, id)) as TenantRow), changed };
}

export const setPlan = (deps: AdministrationDeps, name: string, plan: Plan) =>
  change(deps, name, 'tenant.plan_changed', (w) => store.setPlan(w, plan));

const STATUS_ACTIONS = {
  active: 'tenant.activated',
  suspended: 'tenant.suspended',
  deactivated: 'tenant.deactivated',
} as const;

/** Takes effect immediately: every request checks the status of its account, and open streams are notified. */
export async function setStatus(deps: AdministrationDeps, name: string, status: keyof typeof STATUS_ACTIONS) {
  const { id, status: current } = await findByName(deps.db, name);
  if (current === 'closing')
    throw new ClosedAccountError(`The account ${id} is closing. Reopen it first: accounts reopen ${id}`);
  return change(deps, id, STATUS_ACTIONS[status], (w) => store.setStatus(w, status));
}

/**
 * Starts the 30 days after which everything of the account is deleted. Not for an account that the operator has suspended: its owner
 * could then reopen it. Nor for the one of the callers of deprecated endpoints, which has no owner and is never made again.
 */
export async function closeAccount(deps: AdministrationDeps & Pick<Deps, 'clock'>, name: string) {
  const { id, status } = await findByName(deps.db, name);
  if (id === LEGACY_ACCOUNT.id)
    throw new ClosedAccountError('The account of the deprecated endpoints cannot be closed. Suspend it.');
  if (status !== 'active' && status !== 'closing')
    throw new ClosedAccountError(
      `The account ${id} is ${status}. Activate it first: accounts activate ${id}`,
    );
  const closesAt = new Date(deps.clock.now() + CLOSING_MS);
  return change(deps, id, 'tenant.closed', (w) => startClosing(w, closesAt));
}

export async function reopenAccount(deps: AdministrationDeps & Pick<Deps, 'clock'>, name: string) {
  const { id, status } = await findByName(deps.db, name);
  if (status !== 'active' && status !== 'closing')
    throw new ClosedAccountError(`The account ${id} is ${status}, not closing.`);
  return change(deps, id, 'tenant.reopened', (w) => store.stopClosing(w, new Date(deps.clock.now())));
}

/** 32 symbols, so that five bits choose one without bias. No two of them look alike. */
const SYMBOLS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Four groups of five symbols: a hundred bits that a person can read aloud. */
function generatePassword(random: Random, email: string, companyName: string): string {
  for (;;) {
    const symbols = [...random.bytes(20)].map((byte) => SYMBOLS[byte & 31]).join('');
    const password = symbols.replace(/.{5}(?=.)/g, '$&-');
    // A few of them have no letter or no digit.
    if (passwordWeakness(password, email, companyName) === undefined) return password;
  }
}

/** The member with this e-mail, or the first owner of the account with this id. */
async function findMemberByName(db: Database, name: string): Promise<LoginRow> {
  const email = canonicalEmail(name);
  const member = UUID.test(name) || email === undefined ? undefined : await findByEmail(db, email);
  if (member) return member;
  const { id } = await findByName(db, name);
  const owner = await findById(db, id, id);
  if (owner) return owner;
  throw new UnknownTenantError(
    `Who signed up for the account ${id} is no member any more. Give the e-mail of another member.`,
  );
}

/** Sets a generated password of a member, which is returned once. All log-ins of the member end. */
export async function resetPassword(deps: AdministrationDeps, name: string) {
  const { id, company_name, member_id, member_email } = await findMemberByName(deps.db, name);
  const password = generatePassword(deps.random, member_email, company_name);
  const passwordHash = await deps.passwords.hash(password);
  const request = {
    scope: { tenantId: id, environment: 'live' },
    actor: OPERATOR,
    action: 'tenant.password_reset',
    locks: 'tenant',
  } as const;
  await deps.write(request, async (w) => {
    w.audit({ entityType: 'member', entityId: member_id });
    await replacePassword(w, member_id, passwordHash);
  });
  deps.bus.publish('tenant', id);
  const tenant = serializeTenant((await store.findTenant(deps.db, id)) as TenantRow);
  return { tenant, member: { id: member_id, email: member_email }, password };
}
