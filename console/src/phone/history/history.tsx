import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { locale, t } from '../language/strings';
import { NoStorage } from '../parts/screen/no-storage';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { clearHistory, HISTORY, type HistoryEntry, readHistory } from '../vault/history';
import { groupByDay } from './days';
import style from './history.module.css';
import { HistoryList } from './list';

/** What this phone approved and declined. */
export function History({
  onClose,
  onOpen,
}: {
  readonly onClose: () => void;
  /** Opens what the person decided on. */
  readonly onOpen: (entry: HistoryEntry) => void;
}) {
  const { data: entries, error, refetch } = useQuery({ queryKey: HISTORY, queryFn: readHistory });
  const [isClearing, setClearing] = useState(false);
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (entries === undefined) return null;
  return (
    <Screen title={t.history.title}>
      {entries.length === 0 ? (
        <Panel title={t.history.empty}>
          <p>{t.history.emptyText}</p>
        </Panel>
      ) : (
        <>
          <p className={screen.soft}>{t.history.about}</p>
          {groupByDay(entries, new Date(), locale).map(({ day, items }) => (
            <section key={day} className={style.day}>
              <h2>{day}</h2>
              <HistoryList entries={items} onOpen={onOpen} />
            </section>
          ))}
        </>
      )}
      <Actions>
        {entries.length > 0 && (
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
    mutationFn: clearHistory,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: HISTORY });
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
