import { isSvcError } from '@svc/sdk';
import { detailsOf } from '../../ui/forms/form';
import { serverNow } from '../../ui/server-time';

/** Why the desk can't go on. `busy` passes at a known time, `offline` ends by itself, and somebody has to see to the others. */
export type Problem =
  | { readonly kind: 'offline' | 'revoked' | 'full' | 'closed' | 'policy' | 'unexpected' }
  | { readonly kind: 'busy'; readonly until: string };

const UNREACHABLE = ['unreachable', 'timed_out', 'connection_cut', 'stream_cut', 'gateway_failed'] as const;

export const isOffline = (error: unknown): boolean =>
  isSvcError(error, ...UNREACHABLE) || (isSvcError(error) && (error.status ?? 0) >= 500);

const DEFAULT_WAIT_S = 30;

const inSeconds = (seconds: number): string => new Date(serverNow() + seconds * 1000).toISOString();

export function problemOf(error: unknown): Problem {
  if (isSvcError(error, 'device_signature_invalid', 'device_session_invalid')) return { kind: 'revoked' };
  if (isSvcError(error, 'rate_limit_exceeded'))
    return { kind: 'busy', until: inSeconds(error.retryAfterSeconds ?? DEFAULT_WAIT_S) };
  if (isSvcError(error, 'monthly_quota_exceeded')) return { kind: 'full' };
  if (isSvcError(error, 'tenant_inactive')) return { kind: 'closed' };
  const isPolicy = detailsOf(error).some(({ path }) => path === 'body.sameDevice');
  if (isPolicy || isSvcError(error, 'new_browser_refused', 'insufficient_scopes')) return { kind: 'policy' };
  return { kind: isOffline(error) ? 'offline' : 'unexpected' };
}
