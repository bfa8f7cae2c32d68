import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useInbox } from '../inbox/inbox';
import { t } from '../language/strings';
import { ServiceHost } from '../parts/company/company';
import { NoStorage } from '../parts/screen/no-storage';
import { Actions, Screen } from '../parts/screen/screen';
import { Sending } from '../parts/screen/sending';
import { HISTORY } from '../vault/history';
import { hasScreenLock, IDENTITIES, type Identity, readIdentities } from '../vault/identities';
import { Approval } from './approval';
import { wasDecided } from './decide';
import { Ended } from './ended';

/** A link or QR code to an approval. It has no content, so the phone asks the service what it is, as each of its identities. */
export function ApprovalLink({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  if (data.length > 0) return <FindApproval id={id} identities={data} onClose={onClose} />;
  return (
    <Screen title={t.approvals.link.none.title}>
      <Notice tone="warn">{t.approvals.link.noIdentity}</Notice>
      <Actions>
        <Button onClick={onClose}>{t.back}</Button>
      </Actions>
    </Screen>
  );
}

function FindApproval({
  id,
  identities,
  onClose,
}: {
  readonly id: string;
  readonly identities: readonly Identity[];
  readonly onClose: () => void;
}) {
  const { opening } = useInbox();
  const read = () => opening.mutate(identities);
  // Browsers show the screen lock only after a press.
  const asksFirst = identities.some(hasScreenLock);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once, when the screen appears
  useEffect(() => {
    if (!asksFirst) read();
  }, []);
  const found = opening.data?.waiting.find(({ statement }) => statement.approvalId === id);
  if (found) return <Approval waiting={found} onClose={onClose} />;
  const error = opening.error ?? opening.data?.error;
  if (opening.data && error === undefined)
    return <NotFound id={id} isUnreadable={opening.data.unreadable > 0} onClose={onClose} />;
  return (
    <Screen title={t.approvals.link.title} lead={<ServiceHost />}>
      {opening.isIdle && asksFirst && <p>{t.approvals.link.text}</p>}
      {opening.isPending && <Sending stage={opening.stage} />}
      {error !== undefined && error !== null && !opening.isPending && (
        <Failure error={error} onRetry={read} />
      )}
      <Actions>
        <Button onClick={onClose}>{opening.isIdle ? t.cancel : t.back}</Button>
        {opening.isIdle && asksFirst && (
          <Button look="primary" onClick={read}>
            {t.continue}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

/** The same for one of somebody else, one that has ended and one that never was. */
function NotFound({
  id,
  isUnreadable,
  onClose,
}: {
  readonly id: string;
  readonly isUnreadable: boolean;
  readonly onClose: () => void;
}) {
  const decided = useQuery({ queryKey: [...HISTORY, id, 'decided'], queryFn: () => wasDecided(id) });
  if (decided.isPending) return null;
  if (decided.data) return <Ended how="decided" onClose={onClose} />;
  const { title, text } = isUnreadable ? t.approvals.link.unreadable : t.approvals.link.none;
  return (
    <Screen title={title}>
      <Notice tone={isUnreadable ? 'bad' : 'plain'}>{text}</Notice>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {t.back}
        </Button>
      </Actions>
    </Screen>
  );
}
