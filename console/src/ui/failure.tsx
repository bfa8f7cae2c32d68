import { isSvcError, type SvcErrorCode } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { Button } from './button';
import { useIsShownAtFields } from './form';
import { Notice } from './surface';

/**
 * What went wrong and what to do about it. “Try again” waits until a rate limit allows it. In a form whose fields already say what
 * is wrong with them, it is empty.
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
  if (useIsShownAtFields(error)) return null;
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
      <p>{sentenceOf(error)}</p>
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

/** Where the sentence for programs would not help who looks at a page. */
const PLAIN: Readonly<Partial<Record<SvcErrorCode, string>>> = {
  unreachable: UNREACHED,
  timed_out: UNREACHED,
  gateway_failed: UNREACHED,
  device_not_pending:
    'This device waits for no code any more: it was enrolled or taken out of use meanwhile. The list shows which.',
  invalid_transition:
    'The device cannot change that way: it was retired meanwhile, or was never enrolled. The list shows which.',
};

/** The sentence of an error: the service's or the SDK's own, without what the SDK adds for programs. */
export function sentenceOf(error: unknown): string {
  if (!isSvcError(error)) return error instanceof Error ? error.message : String(error);
  const { code, details = [], requestId } = error;
  if (code === 'invalid_request' && details.length > 0) return details.map(sentenceOfField).join(' ');
  const added = [...details.map(({ path, message }) => ` ${path}: ${message}.`), ` (request ${requestId})`];
  return PLAIN[code] ?? added.reduce((text, part) => text.replace(part, ''), error.message);
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
