import { NIL_UUID } from '../../base/crypto/random.js';
import { catchError } from '../../base/errors.js';
import type { Deps, ErasureLine } from '../../http/deps.js';
import { eraseUser } from '../erasure/erasure.js';
import { prepareHashing } from '../sealing/sealing.js';

/** What erasing a person needs. */
export type ErasingDeps = Pick<Deps, 'clock' | 'db' | 'ids' | 'keyring' | 'random' | 'write'>;

/**
 * Erases a person again after a restore, under the erasure's own id. What the erasure kept of their events is unknown, so nothing is
 * kept. False if the person is not there, or is erased.
 */
export async function applyErasure(
  deps: ErasingDeps,
  { tenantId, environment, userId, erasureId }: Omit<ErasureLine, 'erasedAt'>,
): Promise<boolean> {
  const scope = { tenantId, environment };
  const request = { scope, actor: { type: 'system', id: null }, action: 'user.erased' } as const;
  await prepareHashing(deps);
  const erasing = deps.write(request, async (w) => {
    // Not null, which would count against the erasures of the dashboard.
    await eraseUser(w, deps, userId, {
      reason: 'request',
      events: 'strip',
      hours: 'later',
      keyId: NIL_UUID,
      erasureId,
    });
    return true;
  });
  const erased = await catchError('user_not_found', catchError('user_erased', erasing));
  return erased === true;
}
