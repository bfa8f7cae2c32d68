import { isSvcError } from '@svc/sdk';
import { svc } from '../../service';
import type { Approvable } from '../approvable';
import type { Asked } from '../asked';
import { record } from '../recorded';

export type Followed = 'waiting' | 'bound' | 'over';

/** What became of a sign-in that waits for this phone beside the computer. */
export const follow = ({ code }: Approvable, signal: AbortSignal): Promise<Followed> =>
  svc.phone.pairing.state(code.sessionId, { signal }).then(
    ({ state }) => (state === 'bound' ? 'bound' : 'waiting'),
    (error: unknown) => {
      if (isSvcError(error, 'pairing_session_not_found')) return 'over';
      throw error;
    },
  );

/** Writes the end to the phone's history. */
export async function recordEnd(found: Approvable, asked: Asked, state: Followed): Promise<void> {
  const { browser, system } = asked.context;
  if (state === 'bound') await record(found, asked, 'approved', { browser, system });
  if (state === 'over') await record(found, asked, 'failed');
}
