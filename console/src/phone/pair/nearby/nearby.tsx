import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, MonitorOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Notice } from '../../../ui/layout/surface';
import { Countdown } from '../../../ui/lists/time';
import { t } from '../../language/strings';
import { nameOf } from '../../parts/browser-name';
import { type Account, AccountName } from '../../parts/company/company';
import { Outcome } from '../../parts/screen/outcome';
import { Actions, Screen } from '../../parts/screen/screen';
import screen from '../../parts/screen/screen.module.css';
import { useAvailableProtection } from '../../parts/use-available-protection';
import { Waiting } from '../../parts/waiting';
import { TurnOnPasskey } from '../../passkey/passkey';
import { HISTORY } from '../../vault/history';
import { hasScreenLock, type Identity } from '../../vault/identities';
import type { Approvable } from '../approvable';
import type { Asked } from '../asked';
import { useDecline } from '../decision';
import { Declined, ScanAgain } from '../ended';
import { type Followed, follow, recordEnd } from './follow';
import style from './nearby.module.css';

/** So often that a person who looks at the phone sees the end soon. */
const POLL_MS = 2_000;

interface Choices {
  readonly onClose: () => void;
  readonly onScan: () => void;
}

/** The proof was valid, and the computer waits for this phone beside it. Follows it until it is signed in. */
export function Nearby({
  found,
  asked,
  account,
  onClose,
  onScan,
}: Choices & { readonly found: Approvable; readonly asked: Asked; readonly account: Account }) {
  const queries = useQueryClient();
  const decline = useDecline(found, asked);
  const { data: state, error } = useQuery({
    queryKey: ['followed', found.code.sessionId],
    queryFn: ({ signal }) => follow(found, signal),
    // What a decline ends, no poll needs to find.
    enabled: !decline.isPending && !decline.isSuccess,
    refetchInterval: (query) => (isOver(query.state.data) ? false : POLL_MS),
    gcTime: 0,
  });
  // A decline ends it too, and has its own entry in the history.
  const end = isOver(state) && decline.isIdle ? state : undefined;
  useEffect(() => {
    if (end === undefined) return;
    void recordEnd(found, asked, end).then(() => queries.invalidateQueries({ queryKey: HISTORY }));
  }, [end, found, asked, queries]);
  const name = nameOf(asked.context);
  if (decline.data) return <Declined how={decline.data} account={account} onClose={onClose} />;
  if (end === 'bound')
    return (
      <Outcome
        tone="good"
        icon={Laptop}
        title={t.nearby.done}
        actions={
          <Button look="primary" onClick={onClose}>
            {t.done}
          </Button>
        }
      >
        <p>
          <strong>{t.nearby.beside(name ?? t.nearby.aBrowser)}</strong>
        </p>
        <p>{t.nearby.doneText(<AccountName account={account} />)}</p>
      </Outcome>
    );
  if (end === 'over') return <NobodySignedIn onClose={onClose} onScan={onScan} />;
  return (
    <Screen
      title={t.nearby.title}
      lead={
        <p className={screen.center}>
          <AccountName account={account} />
        </p>
      }
    >
      <p className={screen.center}>{t.nearby.text(<strong>{name ?? t.nearby.unnamed}</strong>)}</p>
      <ol className={style.steps}>
        {t.nearby.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {error ? <Failure error={error} /> : <Waiting>{t.nearby.waiting}</Waiting>}
      <p className={style.left}>
        {t.nearby.left(<Countdown until={new Date(found.code.expiresAtSeconds * 1000).toISOString()} />)}
      </p>
      {decline.error && <Failure error={decline.error} onRetry={() => decline.mutate()} />}
      {decline.isPending && <Notice>{t.pair.declining}</Notice>}
      <Actions>
        <Button look="danger" busy={decline.isPending} onClick={() => decline.mutate()}>
          {t.nearby.notMine}
        </Button>
        <Button onClick={onClose}>{t.close}</Button>
      </Actions>
    </Screen>
  );
}

const isOver = (state: Followed | undefined): boolean => state === 'bound' || state === 'over';

const NobodySignedIn = ({ onClose, onScan }: Choices) => (
  <Outcome
    tone="calm"
    icon={MonitorOff}
    title={t.nearby.over.title}
    actions={<ScanAgain leave={t.close} onClose={onClose} onScan={onScan} />}
  >
    <p>{t.nearby.over.text}</p>
  </Outcome>
);

/** The company wants a phone with a passkey beside a new browser, and this identity has none. */
export function NewBrowserRefused({ refused, onClose, onScan }: Choices & { readonly refused: Identity }) {
  const [isTurningOn, setTurningOn] = useState(false);
  const available = useAvailableProtection();
  const canHave = hasScreenLock(refused) || available === 'screen-lock';
  if (isTurningOn)
    return <TurnOnPasskey identity={refused} onBack={() => setTurningOn(false)} onClose={onScan} />;
  return (
    <Outcome
      tone="calm"
      icon={MonitorOff}
      title={t.nearby.refused.title}
      actions={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          {canHave && (
            <Button look="primary" onClick={() => setTurningOn(true)}>
              {t.passkey.turnOn}
            </Button>
          )}
        </>
      }
    >
      <p>{t.nearby.refused.text}</p>
      <p>{canHave ? t.nearby.refused.turnOn : t.nearby.refused.noLock}</p>
      <p>{t.nearby.refused.here}</p>
    </Outcome>
  );
}
