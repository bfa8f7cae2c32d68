import { isSvcError, type SvcErrorCode } from '@svc/sdk';
import { useContext, useEffect, useState } from 'react';
import { PAGE_MESSAGES } from '../generated/errors';
import { Button } from './forms/button';
import { detailsOf, useOtherDetails } from './forms/form';
import { Notice } from './layout/surface';
import { supportUrl } from './support-url';
import { WordsContext } from './words';

/**
 * What went wrong and what to do about it. “Try again” is disabled until a rate limit allows it. In a form, errors that
 * a field already shows are omitted.
 */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const wait = useSecondsLeft(
    isSvcError(error, 'rate_limit_exceeded') ? (error.retryAfterSeconds ?? 0) : 0,
    error,
  );
  const details = useOtherDetails(error);
  const words = useContext(WordsContext);
  if (details.length === 0 && detailsOf(error).length > 0) return null;
  // The reader was asked to confirm who they are, and cancelled.
  if (isSvcError(error, 'step_up_required')) return null;
  return (
    <Notice
      tone="bad"
      // Outside the live region, so that a screen reader doesn't announce every second.
      action={
        onRetry && (
          <Button small onClick={onRetry} disabled={wait > 0}>
            {wait > 0 ? words.tryAgainIn(wait) : words.tryAgain}
          </Button>
        )
      }
    >
      <p>{words.messageOf?.(error) ?? messageOf(error, details)}</p>
      {isSvcError(error, 'tenant_inactive') && supportUrl && (
        <p>
          <a href={supportUrl}>Contact support</a>
        </p>
      )}
      {isSvcError(error) && error.requestId && (
        <p>
          <small>
            {words.request} <code>{error.requestId}</code>
          </small>
        </p>
      )}
    </Notice>
  );
}

const NO_RESPONSE = 'The service did not respond. Check your connection and try again in a moment.';

const pageMessageOf = (code: string): string | undefined =>
  (PAGE_MESSAGES as Readonly<Record<string, string>>)[code];

/** Replacements for SDK messages that are meant for developers. */
const SDK_MESSAGES: Readonly<Partial<Record<SvcErrorCode, string>>> = {
  unreachable: NO_RESPONSE,
  timed_out: NO_RESPONSE,
  gateway_failed: NO_RESPONSE,
};

/** The message of an error for people: from the service or the SDK, without the request ID that the SDK adds. */
export function messageOf(error: unknown, details = detailsOf(error)): string {
  if (!isSvcError(error)) return error instanceof Error ? error.message : String(error);
  if (details.length > 0) return details.map(messageOfField).join(' ');
  return (
    pageMessageOf(error.code) ??
    SDK_MESSAGES[error.code] ??
    error.message.replace(` (request ${error.requestId})`, '')
  );
}

/** `body.fullName` is the field “Full name” of a form. */
function messageOfField({ path, message }: { readonly path: string; readonly message: string }): string {
  const words = path.replace(/^.*\./, '').replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${message}.`;
}

/** Counts down from `seconds` by the clock, because a page in the background misses ticks. Restarts for each `cause`. */
function useSecondsLeft(seconds: number, cause: unknown): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new cause restarts the countdown even with the same seconds
  useEffect(() => {
    setLeft(seconds);
    if (seconds === 0) return;
    const end = Date.now() + seconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    const timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [seconds, cause]);
  return left;
}
