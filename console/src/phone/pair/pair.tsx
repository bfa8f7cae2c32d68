import { isSvcError, readShortCode } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { signInPageOf } from '../../ui/kept-session';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking, ServiceHost } from '../parts/company/company';
import { Actions, Screen } from '../parts/screen/screen';
import { useOnline } from '../parts/use-online';
import { type Approvable, findApprovable } from './approvable';
import { Approve } from './approve';
import { alreadyAsked, readAsked } from './asked';
import { CannotApprove, CodeChanged, NotRegisteredHere } from './ended';

interface Choices {
  readonly onClose: () => void;
  readonly onScan: () => void;
}

/**
 * A scanned sign-in: finds the identity, asks the service who asks, and lets the person decide. If a sign-in page in this tab led here,
 * leaving without an approval leads back to it.
 */
export function Pair({
  text,
  sessionId,
  ...given
}: Choices & {
  readonly text: string;
  readonly sessionId: string;
}) {
  const signInPage = signInPageOf(sessionId);
  const choices = signInPage ? { ...given, onClose: () => location.replace(signInPage) } : given;
  const online = useOnline();
  const found = useQuery({
    queryKey: ['identities-of', text],
    queryFn: ({ signal }) => findApprovable(text, signal),
    // Only the service knows what an address is for.
    enabled: online || readShortCode(text) === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (signInPage && isSvcError(found.error, 'not_registered'))
    return <NotRegisteredHere onClose={choices.onClose} />;
  if (found.data) return <Ask found={found.data} {...choices} />;
  return (
    <Reading error={found.error} online={online} onRetry={() => void found.refetch()} {...choices}>
      <ServiceHost />
    </Reading>
  );
}

/** While the service says who asks, or why it does not. */
function Reading({
  error,
  online,
  onRetry,
  children,
  ...choices
}: Choices & {
  readonly error: unknown;
  readonly online: boolean;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}) {
  if (isSvcError(error, 'pairing_code_stale')) return <CodeChanged {...choices} />;
  if (error && !isRetryable(error)) return <CannotApprove error={error} {...choices} />;
  return (
    <Screen title={t.pair.title} lead={children}>
      {error ? (
        <Failure error={error} onRetry={onRetry} />
      ) : (
        <Notice tone={online ? 'plain' : 'warn'}>{online ? t.pair.reading : t.pair.offline}</Notice>
      )}
      <Actions>
        <Button onClick={choices.onClose}>{t.cancel}</Button>
      </Actions>
    </Screen>
  );
}

function Ask({ found, ...choices }: Choices & { readonly found: Approvable }) {
  const online = useOnline();
  const asked = useQuery({
    queryKey: ['asked', found.text],
    queryFn: ({ signal }) => readAsked(found.code, signal),
    initialData: alreadyAsked(found),
    enabled: online,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (asked.data) return <Approve found={found} asked={asked.data} {...choices} />;
  return (
    <Reading error={asked.error} online={online} onRetry={() => void asked.refetch()} {...choices}>
      <Asking account={found.code} />
    </Reading>
  );
}
