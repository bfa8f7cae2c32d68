import { fail } from '../../base/errors.js';
import { isConfirmed } from '../../http/access.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { TenantWrite } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import * as store from './accounts.store.js';
import { requirePassword } from './logins/logins.js';
import { CLOSING_MS } from './tenant.js';

type ConsoleContext = Pick<BaseContext, 'deps' | 'address'> &
  Pick<ScopedContext, 'write'> & { readonly principal: ConsolePrincipal };

/** Another request changed the account first. The write has no effect. */
class Unchanged extends Error {}

/** Starts the 30 days. Undefined unless the account is active. */
export async function startClosing(
  w: TenantWrite,
  closesAt: Date,
): Promise<(store.Changed & { closes_at: string }) | undefined> {
  const changed = await store.startClosing(w, closesAt);
  return changed && { ...changed, closes_at: iso(closesAt) };
}

/** Closes the account of a session. An account that is closing already keeps its time. */
export async function closeAccount(context: ConsoleContext, password: string | undefined) {
  const { deps, principal } = context;
  const { id } = principal.tenant;
  if (password !== undefined) await requirePassword(context, password);
  else if (!isConfirmed(principal, deps.clock.now())) fail('step_up_required');
  const closesAt = new Date(deps.clock.now() + CLOSING_MS);
  await change(context, 'tenant.closed', (w) => startClosing(w, closesAt));
  const account = await store.findTenant(deps.db, id);
  if (account?.status !== 'closing' || account.closes_at === null)
    return fail('tenant_inactive', { because: account?.status ?? 'unknown' });
  return { status: 'closing' as const, closesAt: iso(account.closes_at) };
}

/** Gives everything back. Fails with 403 when the time is over. */
export async function reopenAccount(context: Omit<ConsoleContext, 'address'>) {
  const { deps, principal } = context;
  await change(context, 'tenant.reopened', (w) => store.stopClosing(w, new Date(deps.clock.now())));
  const account = await store.findTenant(deps.db, principal.tenant.id);
  if (account?.status !== 'active') return fail('tenant_inactive', { because: account?.status ?? 'unknown' });
  return { status: 'active' as const };
}

/** Writes nothing if the statement changes nothing. */
async function change(
  { deps, write, principal }: Omit<ConsoleContext, 'address'>,
  action: 'tenant.closed' | 'tenant.reopened',
  update: (w: TenantWrite) => Promise<store.Changed | undefined>,
): Promise<void> {
  const { id } = principal.tenant;
  const work = async (w: TenantWrite) => {
    const metadata = await update(w);
    if (metadata === undefined) throw new Unchanged();
    w.audit({ entityType: 'tenant', entityId: id, metadata: { ...metadata } });
  };
  try {
    await write(action, work, 'tenant');
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
  }
  deps.bus.publish('tenant', id);
}
