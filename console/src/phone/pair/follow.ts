import { isSvcError } from '@svc/sdk';
import { svc } from '../service';
import type { Approvable } from './approval';
import type { Asked } from './asked';
import { record } from './recorded';

export type Followed = 'waiting' | 'bound' | 'over';

/** What became of a sign-in that waits for this phone beside the computer. Writes an end to the phone's history. */
export async function follow(found: Approvable, asked: Asked, signal: AbortSignal): Promise<Followed> {
  const state = await svc.phone.pairing.state(found.code.sessionId, { signal }).then(
    ({ state: now }): Followed => (now === 'bound' ? 'bound' : 'waiting'),
    (error: unknown): Followed => {
      if (isSvcError(error, 'pairing_session_not_found')) return 'over';
      throw error;
    },
  );
  const { browser, system } = asked.context;
  if (state === 'bound') await record(found, asked, 'approved', { browser, system });
  if (state === 'over') await record(found, asked, 'failed');
  return state;
}
