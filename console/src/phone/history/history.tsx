import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { locale, t } from '../language/strings';
import phone from '../phone.module.css';
import { Actions, NoStorage, Screen } from '../screen';
import { APPROVALS, type Approval, clearApprovals, readApprovals } from './approvals';
import { groupByDay } from './days';
import style from './history.module.css';
import { ApprovalList } from './list';

/** What this phone approved and declined. */
export function History({
  onClose,
  onOpen,
}: {
  readonly onClose: () => void;
  /** Opens what the person decided on. */
  readonly onOpen: (approval: Approval) => void;
}) {
  const { data: approvals, error, refetch } = useQuery({ queryKey: APPROVALS, queryFn: readApprovals });
  const [isClearing, setClearing] = useState(false);
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (approvals === undefined) return null;
  return (
    <Screen title={t.history.title}>
      {approvals.length === 0 ? (
        <Panel title={t.history.empty}>
          <p>{t.history.emptyText}</p>
        </Panel>
      ) : (
        <>
          <p className={phone.soft}>{t.history.about}</p>
          {groupByDay(approvals, new Date(), locale).map(({ day, items }) => (
            <section key={day} className={style.day}>
              <h2>{day}</h2>
              <ApprovalList approvals={items} onOpen={onOpen} />
            </section>
          ))}
        </>
      )}
      <Actions>
        {approvals.length > 0 && (
          <Button look="danger" onClick={() => setClearing(true)}>
            <Trash2 size={18} aria-hidden="true" />
            {t.history.clear}
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {t.back}
        </Button>
      </Actions>
      {isClearing && <ClearHistory onClose={() => setClearing(false)} />}
    </Screen>
  );
}

function ClearHistory({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const clear = useMutation({
    mutationFn: clearApprovals,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: APPROVALS });
      onClose();
    },
  });
  return (
    <Confirm
      title={t.history.clearTitle}
      action={t.history.clear}
      busy={clear.isPending}
      error={clear.error}
      onConfirm={() => clear.mutate()}
      onClose={onClose}
    >
      {t.history.clearText}
    </Confirm>
  );
}
