import { useEffect, useState } from 'react';
import { Brand } from '../ui/brand/brand';
import { Failure } from '../ui/failure';
import { Button } from '../ui/forms/button';
import { Notice } from '../ui/layout/surface';
import { Join } from './additions/join';
import type { Joined } from './additions/joining';
import { OpenIdentity } from './additions/open';
import { Approval } from './approvals/approval';
import { ApprovalLink } from './approvals/approval-link';
import { type Arrival, consumeArrival } from './arrival';
import { DecidedOn } from './history/decided-on';
import { History } from './history/history';
import { Home } from './home';
import { useInboxLock } from './inbox/inbox';
import type { Waiting } from './inbox/waiting';
import { t } from './language/strings';
import { Pair } from './pair/pair';
import { Later } from './parts/later';
import { Actions, Screen } from './parts/screen/screen';
import style from './parts/screen/screen.module.css';
import { ManagePhones, type PhonesPart } from './phones/phones';
import { RecoveryLink } from './phones/recovery-link';
import type { Ceremony } from './register/ceremony';
import { ConfirmRegistration } from './register/confirm';
import { Register } from './register/register';
import { Scan } from './scan/scan';
import type { TimeTask } from './time/time';
import type { HistoryEntry } from './vault/history';

/** The current task. Without one, the page shows the identities. */
type Task =
  | Arrival
  | TimeTask
  | { readonly kind: 'scan' | 'history' }
  | { readonly kind: 'resume'; readonly ceremony: Ceremony }
  | { readonly kind: 'resume-joining'; readonly joined: Joined }
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  | { readonly kind: 'decided'; readonly entry: HistoryEntry }
  /** The phones of an identity, by its ID. */
  | { readonly kind: 'phones'; readonly id: string; readonly part?: PhonesPart | undefined };

export function Phone({ arrived }: { readonly arrived: Arrival | undefined }) {
  // The counter is the screen's key, so a second code starts with fresh state.
  const [{ task, turn }, setState] = useState<{ task: Task | undefined; turn: number }>({
    task: arrived,
    turn: 0,
  });
  useInboxLock();
  const begin = (next: Task | undefined) => setState((before) => ({ task: next, turn: before.turn + 1 }));
  useEffect(() => {
    const onHashChange = () => {
      const next = consumeArrival();
      if (next) setState((before) => ({ task: next, turn: before.turn + 1 }));
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return (
    <main className={style.phone}>
      <Brand />
      {isSecureContext ? <CurrentTask key={turn} task={task} begin={begin} /> : <Insecure />}
    </main>
  );
}

function CurrentTask({
  task,
  begin,
}: {
  readonly task: Task | undefined;
  readonly begin: (next: Task | undefined) => void;
}) {
  const onClose = () => begin(undefined);
  const onScan = () => begin({ kind: 'scan' });
  switch (task?.kind) {
    case undefined:
      return (
        <Home
          onScan={onScan}
          onHistory={() => begin({ kind: 'history' })}
          onResume={(ceremony) => begin({ kind: 'resume', ceremony })}
          onResumeJoining={(joined) => begin({ kind: 'resume-joining', joined })}
          onPhones={(id, part) => begin({ kind: 'phones', id, part })}
          onWaiting={(waiting) => begin({ kind: 'waiting', waiting })}
          onDecided={(entry) => begin({ kind: 'decided', entry })}
          onTime={(id) => begin({ kind: 'time', id })}
        />
      );
    case 'scan':
      return <Scan onRead={begin} onClose={onClose} />;
    case 'history':
      return <History onClose={onClose} onOpen={(entry) => begin({ kind: 'decided', entry })} />;
    case 'register':
      return <Register link={task.link} onClose={onClose} />;
    case 'resume':
      return <ConfirmRegistration started={task.ceremony} onClose={onClose} />;
    case 'add':
      return <Join code={task.code} onClose={onClose} onScan={onScan} />;
    case 'resume-joining':
      return <OpenIdentity joined={task.joined} onClose={onClose} />;
    case 'phones':
      return (
        <ManagePhones
          id={task.id}
          part={task.part}
          onClose={onClose}
          onTime={() => begin({ kind: 'time', id: task.id })}
        />
      );
    case 'attend':
    case 'member':
    case 'time':
      return (
        <Later
          name="time"
          load={async () => (await import('./time/time')).TimePart}
          of={{ task, onClose, onScan }}
        />
      );
    case 'approval':
      return <ApprovalLink id={task.id} onClose={onClose} />;
    case 'waiting':
      return <Approval waiting={task.waiting} onClose={onClose} />;
    case 'decided':
      return <DecidedOn entry={task.entry} onClose={onClose} />;
    case 'recovery':
      return <RecoveryLink id={task.id} onClose={onClose} />;
    case 'pair':
      return <Pair text={task.text} sessionId={task.sessionId} onClose={onClose} onScan={onScan} />;
    case 'invalid':
      return (
        <Screen title={t.cannotUse}>
          <Failure error={task.error} />
          <Actions>
            <Button onClick={onClose}>{t.back}</Button>
            <Button look="primary" onClick={onScan}>
              {t.scanAnother}
            </Button>
          </Actions>
        </Screen>
      );
  }
}

const Insecure = () => (
  <Screen title={t.insecure.title}>
    <Notice tone="bad">{t.insecure.text}</Notice>
  </Screen>
);
