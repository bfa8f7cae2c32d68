import { useQuery } from '@tanstack/react-query';
import { History, ScanLine } from 'lucide-react';
import { Button } from '../ui/forms/button';
import { Notice } from '../ui/layout/surface';
import type { Joined } from './additions/joining';
import { UnfinishedJoinings } from './additions/unfinished';
import { HistoryList } from './history/list';
import { Identities } from './identities/identities';
import { InboxCard } from './inbox/inbox-card';
import type { Waiting } from './inbox/waiting';
import { InstallCard } from './install/install-card';
import { t } from './language/strings';
import { Later } from './parts/later';
import { Actions, Screen } from './parts/screen/screen';
import style from './parts/screen/screen.module.css';
import { useOnline } from './parts/use-online';
import type { PhonesPart } from './phones/phones';
import type { Ceremony } from './register/ceremony';
import { Unfinished } from './register/unfinished';
import { readAll } from './vault/database';
import { HISTORY, type HistoryEntry, readHistory } from './vault/history';
import { IDENTITIES, readIdentities } from './vault/identities';

/** The newest approvals on the first screen. The history has them all. */
const RECENT = 2;

/** The first screen: the identities, what they were used for, and the camera. */
export function Home({
  onScan,
  onHistory,
  onResume,
  onResumeJoining,
  onPhones,
  onWaiting,
  onDecided,
  onTime,
}: {
  readonly onScan: () => void;
  readonly onHistory: () => void;
  readonly onResume: (ceremony: Ceremony) => void;
  readonly onResumeJoining: (joined: Joined) => void;
  /** Opens the phones of the identity with this ID, or a part of them. */
  readonly onPhones: (id: string, part?: PhonesPart) => void;
  /** Opens an approval that waits. */
  readonly onWaiting: (waiting: Waiting) => void;
  /** Opens one of the history. */
  readonly onDecided: (entry: HistoryEntry) => void;
  /** Opens the working time of the identity with this ID. */
  readonly onTime: (id: string) => void;
}) {
  const online = useOnline();
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities }).data ?? [];
  const entries = useQuery({ queryKey: HISTORY, queryFn: readHistory }).data ?? [];
  const comesAndGoes = useQuery({ queryKey: ['time'], queryFn: () => readAll('time') }).data?.length;
  return (
    <Screen
      title={t.home.title}
      action={
        identities.length > 0 && (
          <Button look="quiet" onClick={onHistory}>
            <History size={20} aria-hidden="true" />
            {t.history.title}
          </Button>
        )
      }
    >
      {!online && <Notice tone="warn">{t.home.offline}</Notice>}
      <Unfinished onResume={onResume} />
      <UnfinishedJoinings onResume={onResumeJoining} />
      {identities.length > 0 && <InboxCard identities={identities} onOpen={onWaiting} />}
      {!!comesAndGoes && (
        <Later name="time-card" load={async () => (await import('./time/time')).TimeCard} of={{ onTime }} />
      )}
      <Identities onPhones={onPhones} />
      {/* Nothing is worth installing before. */}
      {identities.length > 0 && <InstallCard />}
      {entries.length > 0 && (
        <section className={style.recent}>
          <h2>{t.history.recent}</h2>
          <HistoryList entries={entries.slice(0, RECENT)} ago onOpen={onDecided} />
        </section>
      )}
      <Actions>
        <Button look="primary" onClick={onScan}>
          <ScanLine size={20} aria-hidden="true" />
          {t.scan}
        </Button>
      </Actions>
    </Screen>
  );
}
