import { violates } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { LegacyPrincipal } from '../../http/principal.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';
import { findTenant, insertTenant, type TenantRow, toTenant } from './accounts.store.js';

type LegacyDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'keyring' | 'random' | 'passwords'>;

/** Whoever it is: the legacy surface asks for no credential. */
export async function authenticateLegacy(deps: LegacyDeps): Promise<LegacyPrincipal> {
  const row = (await findTenant(deps.db, LEGACY_ACCOUNT.id)) ?? (await openAccount(deps));
  const stillGood = () =>
    sql.query`select 1 from tenants where id = ${LEGACY_ACCOUNT.id} and status = 'active'`;
  return { tenant: toTenant(row), stillGood };
}

/** Made when it is first needed, by one of any number of requests that need it. */
async function openAccount(deps: LegacyDeps): Promise<TenantRow> {
  const tenant = {
    ...LEGACY_ACCOUNT,
    plan: 'free',
    // Of a password that nobody has seen.
    passwordHash: await deps.passwords.hash(deps.random.bytes(32).toString('base64url')),
  } as const;
  const scope = { tenantId: tenant.id, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  try {
    await deps.write({ scope, actor, action: 'tenant.created', locks: 'tenant' }, async (w) => {
      w.audit({ entityType: 'tenant', entityId: tenant.id });
      await insertTenant(w, tenant, deps.keyring.current, deps.clock.now());
    });
  } catch (error) {
    if (!violates(error, 'tenants_pkey') && !violates(error, 'tenants_email_key')) throw error;
  }
  return (await findTenant(deps.db, tenant.id)) as TenantRow;
}
