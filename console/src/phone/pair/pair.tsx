import type { PairingCode } from '@svc/sdk';
import { isSvcError } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { signInPageOf } from '../../ui/kept-session';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Actions, Screen } from '../parts/screen/screen';
import { useOnline } from '../parts/use-online';
import { type Approvable, findApprovable } from './approvable';
import { Approve } from './approve';
import { readAsked } from './asked';
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
  code,
  ...given
}: Choices & {
  readonly text: string;
  readonly code: PairingCode;
}) {
  const signInPage = signInPageOf(code.sessionId);
  const choices = signInPage ? { ...given, onClose: () => location.replace(signInPage) } : given;
  const found = useQuery({
    queryKey: ['identities-of', text],
    queryFn: () => findApprovable(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (signInPage && isSvcError(found.error, 'not_registered'))
    return <NotRegisteredHere onClose={choices.onClose} />;
  if (found.error) return <CannotApprove error={found.error} {...choices} />;
  if (found.data === undefined) return null;
  return <Ask found={found.data} {...choices} />;
}

function Ask({ found, ...choices }: Choices & { readonly found: Approvable }) {
  const online = useOnline();
  const asked = useQuery({
    queryKey: ['asked', found.text],
    queryFn: ({ signal }) => readAsked(found.code, signal),
    enabled: online,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (isSvcError(asked.error, 'pairing_code_stale')) return <CodeChanged {...choices} />;
  if (asked.error && !isRetryable(asked.error)) return <CannotApprove error={asked.error} {...choices} />;
  if (asked.data) return <Approve found={found} asked={asked.data} {...choices} />;
  return (
    <Screen title={t.pair.title} lead={<Asking account={found.code} />}>
      {asked.error ? (
        <Failure error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <Notice tone={online ? 'plain' : 'warn'}>{online ? t.pair.reading : t.pair.offline}</Notice>
      )}
      <Actions>
        <Button onClick={choices.onClose}>{t.cancel}</Button>
      </Actions>
    </Screen>
  );
}
