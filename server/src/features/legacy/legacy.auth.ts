import { violates } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { LegacyPrincipal, Tenant } from '../../http/principal.js';
import { LEGACY_ACCOUNT } from '../../model/legacy-account.js';
import { findAccount, insertAccount } from '../accounts/accounts.js';

type LegacyDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'keyring' | 'random' | 'passwords'>;

/** The legacy endpoints need no credential. All callers share one account. */
export async function authenticateLegacy(deps: LegacyDeps): Promise<LegacyPrincipal> {
  const tenant = (await findAccount(deps, LEGACY_ACCOUNT.id)) ?? (await openAccount(deps));
  const revalidate = () =>
    sql.query`select 1 from tenants where id = ${LEGACY_ACCOUNT.id} and status = 'active'`;
  return { tenant, revalidate };
}

/** Creates the account when it is first needed. Of concurrent requests, one succeeds and the others read its account. */
async function openAccount(deps: LegacyDeps): Promise<Tenant> {
  const tenant = {
    ...LEGACY_ACCOUNT,
    plan: 'free',
    securityPolicy: {},
    // A random password that is never returned, so nobody can log in.
    passwordHash: await deps.passwords.hash(deps.random.bytes(32).toString('base64url')),
  } as const;
  const scope = { tenantId: tenant.id, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  try {
    await deps.write({ scope, actor, action: 'tenant.created', locks: 'tenant' }, async (w) => {
      w.audit({ entityType: 'tenant', entityId: tenant.id });
      await insertAccount(w, deps, tenant);
    });
  } catch (error) {
    if (!violates(error, 'tenants_pkey') && !violates(error, 'tenants_email_key')) throw error;
  }
  return (await findAccount(deps, tenant.id)) as Tenant;
}
