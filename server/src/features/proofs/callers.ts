import type { Source } from '@svc/zk/verifier/pool';
import { networkOf } from '../../base/address.js';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { BaseContext, PhoneContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader, type TenantWrite } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { activeAccount, findAccount } from '../accounts/accounts.js';

/** The context of a phone without an API key, whose proof is its credential. */
interface KeylessPhone extends Pick<BaseContext, 'deps' | 'address'>, ScopedContext {
  /** The caller that the verifier counts its proofs for. */
  readonly source: Source;
}

/** `reject` fails like everything else that the phone can't use. Each write calls it if the account is no longer active. */
export function actAsPhone(
  { deps, address }: Pick<BaseContext, 'deps' | 'address'>,
  scope: Scope,
  reject: () => never,
): KeylessPhone {
  const caller = {
    scope,
    actor: { type: 'phone', id: null },
    credential: { revalidate: () => activeAccount(scope.tenantId), reject },
  } as const;
  return {
    deps,
    address,
    scope,
    read: reader(deps.db, scope),
    async write<T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks?: 'tenant') {
      const result = await deps.write({ ...caller, action, locks: locks as 'tenant' }, work);
      deps.counters.write(action);
      return result;
    },
    source: { name: networkOf(address), keyless: true, priority: 'low' },
  };
}

/** The sender of a phone's proof: an app with an API key, or the phone itself. */
export interface PhoneCaller extends ScopedContext {
  readonly deps: Pick<
    Deps,
    | 'anchoring'
    | 'bus'
    | 'clock'
    | 'config'
    | 'db'
    | 'effects'
    | 'ids'
    | 'log'
    | 'proofsFrom'
    | 'random'
    | 'keyring'
    | 'requireUnchanged'
    | 'tokens'
    | 'verifier'
  >;
  /** Undefined if the account that was named is unknown, not active, or not the key's. All its proofs are rejected. */
  readonly tenant: Tenant | undefined;
  /** The caller that the verifier counts the proofs for. */
  readonly source: Source;
  readonly isKeyless: boolean;
}

/** The account that a body names. Default: the key's. Without a key, the pipeline has required both fields. */
export function accountOf({ scope, body }: PhoneContext): Scope {
  const { tenantId = scope?.tenantId, environment = scope?.environment } = body;
  return { tenantId: String(tenantId).toLowerCase(), environment } as Scope;
}

/** Who sends a proof to a route that phones may call without an API key. */
export async function callerOf(
  context: Pick<BaseContext, 'deps' | 'address'> & PhoneContext,
): Promise<PhoneCaller> {
  const account = accountOf(context);
  if (context.principal === undefined) return phoneOf(context, account);
  const { tenant } = context.principal;
  const isItsOwn = account.tenantId === tenant.id && account.environment === context.scope.environment;
  return {
    ...context,
    tenant: isItsOwn ? tenant : undefined,
    source: { name: tenant.id },
    isKeyless: false,
  };
}

/** A phone without an API key names its account. */
export async function phoneOf(
  context: Pick<BaseContext, 'deps' | 'address'>,
  { tenantId: givenId, environment }: Scope,
): Promise<PhoneCaller> {
  const tenantId = givenId.toLowerCase();
  const tenant = await findAccount(context.deps, tenantId);
  const phone = actAsPhone(context, { tenantId, environment }, () =>
    fail('verification_failed', { because: 'account' }),
  );
  return {
    ...phone,
    tenant: tenant?.status === 'active' ? tenant : undefined,
    isKeyless: true,
  };
}
