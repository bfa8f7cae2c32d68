import type { Source } from '@svc/zk/verifier/pool';
import { networkOf } from '../../base/address.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader, type TenantWrite } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { activeAccount } from '../accounts/accounts.js';

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
