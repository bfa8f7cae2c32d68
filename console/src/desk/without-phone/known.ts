import { isSvcError } from '@svc/sdk';
import { detailsOf } from '../../ui/forms/form';
import { isOffline } from '../device/problem';

/** How somebody without a phone says who they are. It is kept in memory only, while they are here. */
export interface Known {
  readonly number: string;
  readonly pin: string;
}

export const PIN_LENGTH = 6;

/** Why a request failed. */
export type Fault =
  | {
      readonly kind:
        | 'wrong'
        | 'guessable'
        | 'mismatch'
        | 'noSite'
        | 'closed'
        | 'own'
        | 'busy'
        | 'offline'
        | 'unexpected';
    }
  | { readonly kind: 'locked'; readonly minutes: number };

/** `change`: the PIN has to be changed first. */
export function faultOf(error: unknown): Fault | 'change' {
  if (isSvcError(error, 'pin_change_required')) return 'change';
  if (isSvcError(error, 'pin_rejected')) return { kind: 'wrong' };
  if (isSvcError(error, 'pin_locked'))
    return { kind: 'locked', minutes: Math.max(1, Math.ceil((error.retryAfterSeconds ?? 900) / 60)) };
  if (detailsOf(error).some(({ path }) => path === 'body.newPin')) return { kind: 'guessable' };
  // A number that no person can have.
  if (detailsOf(error).some(({ path }) => path === 'body.number')) return { kind: 'wrong' };
  if (isSvcError(error, 'desk_without_site')) return { kind: 'noSite' };
  if (isSvcError(error, 'correction_of_oneself')) return { kind: 'own' };
  if (isSvcError(error, 'correction_closed', 'correction_outdated', 'correction_waits_for_member'))
    return { kind: 'closed' };
  if (isSvcError(error, 'rate_limit_exceeded')) return { kind: 'busy' };
  return { kind: isOffline(error) ? 'offline' : 'unexpected' };
}
