import type { Pairing, SvcError } from '@svc/sdk';

/** A code on the screen, and how the wait for a phone is going. */
export interface Waiting {
  readonly pairing: Pairing;
  /** Why the connection to the session was lost. Undefined while it is connected. */
  readonly lost?: SvcError | undefined;
  /** Why a phone's proof was rejected. The code is still valid. */
  readonly rejection?: string | undefined;
  readonly hasExpired?: boolean;
  /** How many phones have opened the code. */
  readonly phones: number;
  /** The number of codes that expired before this one. */
  readonly before: number;
}

/** A new session's code, or the code of the same session after it has moved. */
export function showCode(before: Waiting | undefined, pairing: Pairing): Waiting {
  if (before?.pairing.id === pairing.id) return { ...before, pairing };
  return { pairing, before: before === undefined ? 0 : before.before + 1, phones: 0 };
}
