import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { TenantWrite } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { type CreatedKey, newKey, requireKeyAct, serializeKey, WARNING } from './keys.js';
import * as store from './keys.store.js';

type RotationDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'ids'> & {
  readonly bus: Pick<Deps['bus'], 'publish'>;
};

/**
 * Creates a key like another one, which then ends after the grace. A key has one predecessor: if the key that is rotated replaced one
 * that still works, that one is revoked, so an account has at most two usable keys for each that counts. `write` opens the key's own
 * environment.
 */
export async function rotateKey(
  deps: RotationDeps,
  principal: ConsolePrincipal,
  id: string,
  graceSeconds: number,
  write: <T>(environment: Environment, work: (w: TenantWrite) => Promise<T>) => Promise<T>,
): Promise<CreatedKey> {
  const before = (await store.findKey(deps.db, principal.tenant.id, id)) ?? fail('api_key_not_found');
  requireKeyAct({ principal, deps }, before);
  const now = deps.clock.now();
  const { key, row: made } = newKey(deps, before.environment);
  const end = new Date(now + graceSeconds * 1000);
  const { row, predecessor } = await write(before.environment, async (w) => {
    const replaced = await store.replaceKey(w, id, { id: made.id, end }, new Date(now));
    if (replaced === undefined) fail('api_key_not_active');
    const { name, scopes, allowed_cidrs: allowedCidrs } = replaced;
    // The end of a key that was not replaced never changes, so it is still the one that was read.
    const successor = { ...made, name, scopes, allowedCidrs, expiresAt: before.expires_at };
    const [ended, inserted] = await Promise.all([
      store.revokePredecessor(w, id, new Date(now)),
      store.insertKey(w, successor, new Date(now)),
    ]);
    const about = { entityType: 'api_key' } as const;
    if (ended !== undefined) w.audit({ ...about, action: 'api_key.revoked', entityId: ended });
    const { environment } = before;
    w.audit({ ...about, action: 'api_key.created', entityId: made.id, metadata: { environment } });
    w.audit({ ...about, entityId: id, metadata: { graceSeconds, replacedBy: made.id } });
    return { row: inserted, predecessor: ended };
  });
  for (const changed of [id, predecessor]) if (changed !== undefined) deps.bus.publish('api_key', changed);
  return { ...serializeKey(row, now), key, warning: WARNING };
}
