import { ScanLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Failure } from '../ui/failure';
import { Button } from '../ui/forms/button';
import { Brand } from '../ui/layout/brand';
import { Notice } from '../ui/layout/surface';
import { type Arrival, takeArrival } from './arrival';
import { Identities } from './identities/identities';
import { LinkAccount } from './link/link';
import { useOnline } from './offline/online';
import { Pair } from './pair/pair';
import style from './phone.module.css';
import type { Ceremony } from './register/ceremony';
import { Confirmed } from './register/confirm';
import { Register } from './register/register';
import { Unfinished } from './register/unfinished';
import { Scan } from './scan/scan';
import { Screen } from './screen';
import { explained } from './sentences';

/** What the phone is busy with; without it, it shows what it holds. */
type Task = Arrival | { readonly kind: 'scan' } | { readonly kind: 'resume'; readonly ceremony: Ceremony };

export function Phone({ arrived }: { readonly arrived: Arrival | undefined }) {
  // Counted, so that a second code begins a screen of its own, and leaves nothing of the first one.
  const [{ task, turn }, setState] = useState<{ task: Task | undefined; turn: number }>({
    task: arrived,
    turn: 0,
  });
  const begin = (next: Task | undefined) => setState((before) => ({ task: next, turn: before.turn + 1 }));
  useEffect(() => {
    const look = () => {
      const next = takeArrival();
      if (next) setState((before) => ({ task: next, turn: before.turn + 1 }));
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return (
    <main className={style.phone}>
      <Brand />
      {isSecureContext ? <Doing key={turn} task={task} begin={begin} /> : <Insecure />}
    </main>
  );
}

function Doing({
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
      return <Confirmed begun={task.ceremony} onClose={onClose} />;
    case 'link':
      return <LinkAccount offer={task.offer} onClose={onClose} onScan={onScan} />;
    case 'pair':
      return <Pair text={task.text} code={task.code} onClose={onClose} onScan={onScan} />;
    case 'refused':
      return (
        <Screen title="This code cannot be used">
          <Failure error={explained(task.error)} />
          <div className={style.choices}>
            <Button onClick={onClose}>Back</Button>
            <Button look="primary" onClick={onScan}>
              Scan another
            </Button>
          </div>
        </Screen>
      );
  }
}

const Insecure = () => (
  <Screen title="Your phone">
    <Notice tone="bad">
      This page was opened without encryption, and a browser keeps no secrets then. Open it with https.
    </Notice>
  </Screen>
);

function Home({ begin }: { readonly begin: (next: Task) => void }) {
  const online = useOnline();
  return (
    <Screen title="Your phone">
      {!online && (
        <Notice tone="warn">
          You are offline. What this phone holds is here, codes can be scanned and proofs made; they are sent
          when there is a network.
        </Notice>
      )}
      <Unfinished onResume={(ceremony) => begin({ kind: 'resume', ceremony })} />
      <div className={style.choices}>
        <Button look="primary" onClick={() => begin({ kind: 'scan' })}>
          <ScanLine size={20} aria-hidden="true" />
          Scan a code
        </Button>
      </div>
      <Identities />
    </Screen>
  );
}
