import type { PhoneAddition } from '@svc/sdk';
// Not from the SDK's prover, which this page would load with it.
import { additionDigits, commitToOpening } from '@svc/zk/rendezvous';
import { isRetryable } from '../messages';
import { svc } from '../service';

/** Between two attempts while the service can't be reached. */
const PAUSE_MS = 1_000;

/**
 * Waits until the addition has left this state. Continues when the network comes back.
 * @throws SvcError `addition_not_found` once the addition has expired
 */
export async function whenChanged(
  id: string,
  state: PhoneAddition['state'],
  signal: AbortSignal,
): Promise<PhoneAddition> {
  for (;;) {
    try {
      return await svc.phone.additions.waitWhile(id, state, { signal });
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error;
    }
    await pause(signal);
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** Two groups of three digits, as they are read aloud. */
export const grouped = (digits: string): string => `${digits.slice(0, 3)} ${digits.slice(3)}`;

/** 32 random bytes as 64 lower-case hex digits. */
export const createRandom = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * The digits that the old phone expects, from what the new phone opened. Undefined if that is not what it committed to: the service
 * could otherwise exchange the new phone after it knew both numbers.
 */
export function digitsToExpect(
  { id, newDid, newCommitment, b }: PhoneAddition,
  { did, a, c }: { readonly did: string; readonly a: string; readonly c: string },
): string | undefined {
  if (newDid === null || newCommitment === null || b === null) return undefined;
  const opening = { newDid, newCommitment, b };
  if (commitToOpening(opening) !== c) return undefined;
  return additionDigits({ rendezvousId: id, did, a, ...opening });
}
