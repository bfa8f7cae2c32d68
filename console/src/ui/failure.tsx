import { isSvcError, type SvcErrorCode } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { PAGE_MESSAGES } from '../generated/errors';
import { Button } from './forms/button';
import { detailsOf, useOtherDetails } from './forms/form';
import { Notice } from './layout/surface';

/**
 * What went wrong and what to do about it. “Try again” waits until a rate limit allows it. In a form, it leaves out
 * what the fields already say.
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
  if (details.length === 0 && detailsOf(error).length > 0) return null;
  return (
    <Notice
      tone="bad"
      // Beside what is read out: a screen reader is not told every second.
      action={
        onRetry && (
          <Button small onClick={onRetry} disabled={wait > 0}>
            {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
          </Button>
        )
      }
    >
      <p>{sentenceOf(error, details)}</p>
      {isSvcError(error) && error.requestId && (
        <p>
          <small>
            Request <code>{error.requestId}</code>
          </small>
        </p>
      )}
    </Notice>
  );
}

const UNREACHED = 'The service did not answer. Check your connection, and try again in a moment.';

/** Where the SDK's own message is for developers. */
const PLAIN: Readonly<Partial<Record<SvcErrorCode, string>>> = {
  unreachable: UNREACHED,
  timed_out: UNREACHED,
  gateway_failed: UNREACHED,
};

/** The sentence of an error: the service's or the SDK's own, without what the SDK adds for programs. */
export function sentenceOf(error: unknown, details = detailsOf(error)): string {
  if (!isSvcError(error)) return error instanceof Error ? error.message : String(error);
  if (details.length > 0) return details.map(sentenceOfField).join(' ');
  return (
    PAGE_MESSAGES[error.code] ??
    PLAIN[error.code] ??
    error.message.replace(` (request ${error.requestId})`, '')
  );
}

/** `body.fullName` is the field “Full name” of a form. */
function sentenceOfField({ path, message }: { readonly path: string; readonly message: string }): string {
  const words = path.replace(/^.*\./, '').replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${message}.`;
}

/** Counts down from `seconds`, anew for each `cause`. */
function useSecondsLeft(seconds: number, cause: unknown): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cause starts again, though its seconds be the same
  useEffect(() => {
    setLeft(seconds);
    if (seconds === 0) return;
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
