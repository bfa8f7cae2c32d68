import type { Passwords } from '../../base/passwords.js';
import type { Random } from '../../base/random.js';
import type { Bus } from '../../cluster/bus.js';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { TenantStatus } from '../../http/principal.js';
import type { Actor, TenantWrite } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { canonicalEmail } from '../../model/email.js';
import { passwordWeakness } from '../../model/password.js';
import type { Plan } from '../../model/plans.js';
import { iso } from '../../records/schema.js';
import * as store from './accounts.store.js';
import type { TenantRow } from './tenant.js';

/** Operator actions on accounts. Only the command line performs them: the admin HTTP endpoints are read-only (DECISIONS §4). */
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
});

export async function listTenants(db: Database, filter: store.TenantListFilter, limit: number) {
  const rows = await store.listTenants(db, filter, limit + 1);
  const tenants = rows.slice(0, limit).map(serializeTenant);
  return { tenants, after: rows.length > limit ? (tenants.at(-1)?.id ?? null) : null };
}

/** Finds an account by id or e-mail. */
async function findByName(db: Database, name: string): Promise<TenantRow> {
  const email = canonicalEmail(name);
  const row = UUID.test(name)
    ? await store.findTenant(db, name)
    : email && (await store.findTenantByEmail(db, email));
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
export const setStatus = (deps: AdministrationDeps, name: string, status: TenantStatus) =>
  change(deps, name, STATUS_ACTIONS[status], (w) => store.setStatus(w, status));

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

/** Sets a generated password, which is returned once. All console tokens end. */
export async function resetPassword(deps: AdministrationDeps, name: string) {
  const { id, email, company_name } = await findByName(deps.db, name);
  const password = generatePassword(deps.random, email, company_name);
  const passwordHash = await deps.passwords.hash(password);
  const request = {
    scope: { tenantId: id, environment: 'live' },
    actor: OPERATOR,
    action: 'tenant.password_reset',
    locks: 'tenant',
  } as const;
  await deps.write(request, async (w) => {
    w.audit({ entityType: 'tenant', entityId: id });
    await store.replacePassword(w, passwordHash, null);
  });
  deps.bus.publish('tenant', id);
  return { tenant: serializeTenant((await store.findTenant(deps.db, id)) as TenantRow), password };
}
