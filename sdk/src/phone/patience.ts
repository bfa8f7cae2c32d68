import type { PhoneAddition } from '../generated/api.js';
import { isFinal } from './final.js';
import type { PhonePorts, Watch } from './ports.js';
import type { Secret } from './records.js';

/** Between two attempts while the service can't be reached. */
const PAUSE_MS = 1_000;

/**
 * @internal Waits until the addition has left this state. Goes on when the service can be reached again.
 * @throws SvcError `addition_not_found` once the addition has expired
 */
export async function whenChanged<S extends Secret>(
  { service }: PhonePorts<S>,
  id: string,
  state: PhoneAddition['state'],
  { signal }: Watch,
): Promise<PhoneAddition> {
  for (;;) {
    try {
      return await service.phone.additions.waitWhile(id, state, { signal });
    } catch (error) {
      if (signal?.aborted || isFinal(error) || service.pause === undefined) throw error;
    }
    await service.pause(PAUSE_MS, signal);
  }
}
