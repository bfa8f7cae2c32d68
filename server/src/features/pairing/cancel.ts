import { catchError, fail } from '../../base/errors.js';
import { type PairingContext, stateOf, watchedPairing } from './pairing.js';
import * as store from './pairing.store.js';

/** Ends a session that waits. One that has ended stays as it is. */
export async function cancelPairing(context: PairingContext, id: string) {
  const { deps, read, write } = context;
  const row = await watchedPairing(context, id);
  const now = deps.clock.now();
  if (stateOf(row, now) !== 'issued') return { session: { id, state: stateOf(row, now) } };
  await catchError(
    'pairing_session_not_found',
    write('pairing.cancelled', async (w) => {
      w.audit({ entityType: 'pairing_session', entityId: id });
      if (!(await store.cancelPairing(w, id, new Date(now))))
        fail('pairing_session_not_found', { because: 'ended concurrently' });
    }),
  );
  deps.bus.publish('pairing_session', id);
  const ended = (await store.findPairing(read, id)) ?? fail('pairing_session_not_found');
  return { session: { id, state: stateOf(ended, deps.clock.now()) } };
}
