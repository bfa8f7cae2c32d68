import { ScanLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Failure } from '../ui/failure';
import { Button } from '../ui/forms/button';
import { Brand } from '../ui/layout/brand';
import { Notice } from '../ui/layout/surface';
import { type Arrival, consumeArrival } from './arrival';
import { Identities } from './identities/identities';
import { LinkAccount } from './link/link';
import { withPhoneMessage } from './messages';
import { useOnline } from './offline/online';
import { Pair } from './pair/pair';
import style from './phone.module.css';
import type { Ceremony } from './register/ceremony';
import { ConfirmRegistration } from './register/confirm';
import { Register } from './register/register';
import { Unfinished } from './register/unfinished';
import { Scan } from './scan/scan';
import { Actions, Screen } from './screen';

/** The current task. Without one, the page shows the identities. */
type Task = Arrival | { readonly kind: 'scan' } | { readonly kind: 'resume'; readonly ceremony: Ceremony };

export function Phone({ arrived }: { readonly arrived: Arrival | undefined }) {
  // The counter is the screen's key, so a second code starts with fresh state.
  const [{ task, turn }, setState] = useState<{ task: Task | undefined; turn: number }>({
    task: arrived,
    turn: 0,
  });
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
      return <Home begin={begin} />;
    case 'scan':
      return <Scan onRead={begin} onClose={onClose} />;
    case 'register':
      return <Register link={task.link} onClose={onClose} />;
    case 'resume':
      return <ConfirmRegistration started={task.ceremony} onClose={onClose} />;
    case 'link':
      return <LinkAccount offer={task.offer} onClose={onClose} onScan={onScan} />;
    case 'pair':
      return <Pair text={task.text} code={task.code} onClose={onClose} onScan={onScan} />;
    case 'invalid':
      return (
        <Screen title="This code can’t be used">
          <Failure error={withPhoneMessage(task.error)} />
          <Actions>
            <Button onClick={onClose}>Back</Button>
            <Button look="primary" onClick={onScan}>
              Scan another code
            </Button>
          </Actions>
        </Screen>
      );
  }
}

const Insecure = () => (
  <Screen title="Your phone">
    <Notice tone="bad">
      This page was opened without encryption, so the browser can’t store secrets. Open it with https.
    </Notice>
  </Screen>
);

function Home({ begin }: { readonly begin: (next: Task) => void }) {
  const online = useOnline();
  return (
    <Screen title="Your identities">
      {!online && (
        <Notice tone="warn">
          You are offline. You can still scan codes and create proofs. They are sent when the network is back.
        </Notice>
      )}
      <Unfinished onResume={(ceremony) => begin({ kind: 'resume', ceremony })} />
      <Identities />
      <Actions>
        <Button look="primary" onClick={() => begin({ kind: 'scan' })}>
          <ScanLine size={20} aria-hidden="true" />
          Scan a code
        </Button>
      </Actions>
    </Screen>
  );
}
