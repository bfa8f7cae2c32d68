import type { PairingCode } from '@svc/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Countdown, Time } from '../../ui/lists/time';
import { AccountName, Asking } from '../identities/account';
import { IDENTITIES } from '../identities/identity';
import { useOnline } from '../offline/online';
import style from '../phone.module.css';
import { Progress, Screen } from '../screen';
import { explained, mayTryAgain } from '../sentences';
import { useWork } from '../use-work';
import { type Approvable, approve, expectUsable, matchCode, type Stage } from './approval';

const STEPS: readonly (readonly [Stage, string])[] = [
  ['unlocking', 'Unlock the identity'],
  ['loading', 'Get the prover ready'],
  ['proving', 'Make the proof'],
  ['waiting', 'Wait for a network'],
  ['sending', 'Send it to the service'],
];

/** A desktop's code: whose it is, and whether this phone signs it in. */
export function Pair({
  text,
  code,
  onClose,
  onScan,
}: {
  readonly text: string;
  readonly code: PairingCode;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const online = useOnline();
  const match = useQuery({
    queryKey: ['match', text],
    queryFn: () => matchCode(text, code),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (match.error) return <Refused error={match.error} onClose={onClose} onScan={onScan} />;
  if (match.data === undefined) return null;
  return <Approve text={text} found={match.data} online={online} onClose={onClose} onScan={onScan} />;
}

function Approve({
  text,
  found,
  online,
  onClose,
  onScan,
}: {
  readonly text: string;
  readonly found: Approvable;
  readonly online: boolean;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const queries = useQueryClient();
  const work = useWork(async (watch: Parameters<typeof approve>[2]) => {
    await approve(text, found, watch);
    await queries.invalidateQueries({ queryKey: IDENTITIES });
  });
  const usable = useQuery({
    queryKey: ['usable', text],
    queryFn: ({ signal }) => expectUsable(found.code, signal),
    enabled: online && work.isIdle,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const looked = useLooked();
  const [cancelled, setCancelled] = useState(false);
  const cancel = () => {
    if (!(work.isPending && work.stage === 'sending')) return onClose();
    work.stop();
    setCancelled(true);
  };
  const until = new Date(found.code.expiresAtSeconds * 1000).toISOString();
  if (work.isSuccess)
    return (
      <Screen title="Signed in">
        <Notice tone="good">
          The desktop is signed in at <AccountName account={found.code} />. Whoever logs out, there or here,
          ends it for both.
        </Notice>
        <div className={style.choices}>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Screen>
    );
  if (cancelled)
    return (
      <Screen title="Look at the desktop">
        <Notice tone="warn">
          The proof was on its way already, and nothing takes it back: the desktop may be signed in. If it is,
          and should not be, log it out there.
        </Notice>
        <Choices onClose={onClose} onScan={onScan} />
      </Screen>
    );
  if (work.isIdle && usable.error) return <Refused error={usable.error} onClose={onClose} onScan={onScan} />;
  return (
    <Screen title="Sign this desktop in?">
      <Asking account={found.code} />
      <Facts
        facts={[
          ['Service', found.code.baseUrl],
          ['Code good until', <Time key="until" at={until} />],
          ['That is for', <Countdown key="left" until={until} />],
        ]}
      />
      {work.isIdle && (
        <p>
          Approve only what you see on a desktop in front of you. Whoever shows this code is signed in as you.
        </p>
      )}
      {!online && work.isIdle && (
        <Notice tone="warn">
          You are offline. The proof can be made now; it is sent as soon as there is a network, while the code
          is good.
        </Notice>
      )}
      {work.isPending && <Progress steps={STEPS} now={work.stage ?? 'unlocking'} />}
      {work.stage === 'waiting' && work.isPending && (
        <Notice>The proof is made. It waits for a network, and for nothing else.</Notice>
      )}
      {work.error && (
        <Failure
          error={explained(work.error)}
          onRetry={mayTryAgain(work.error) ? () => work.mutate() : undefined}
        />
      )}
      <div className={style.choices}>
        <Button onClick={cancel}>Cancel</Button>
        {work.error ? (
          <Button look="primary" onClick={onScan}>
            Scan again
          </Button>
        ) : (
          <Button look="primary" busy={work.isPending || !looked} onClick={() => work.mutate()}>
            Approve
          </Button>
        )}
      </div>
    </Screen>
  );
}

const LOOK_MS = 500;

/**
 * Whether the person can have seen what they approve. Another page can make them press twice where this one, or its button,
 * appears between the two.
 */
function useLooked(): boolean {
  const [looked, setLooked] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setLooked(false);
      timer = setTimeout(() => setLooked(true), LOOK_MS);
    };
    begin();
    addEventListener('focus', begin);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', begin);
    };
  }, []);
  return looked;
}

const Refused = ({
  error,
  ...choices
}: {
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) => (
  <Screen title="This code cannot be approved">
    <Failure error={explained(error)} />
    <Choices {...choices} />
  </Screen>
);

const Choices = ({ onClose, onScan }: { readonly onClose: () => void; readonly onScan: () => void }) => (
  <div className={style.choices}>
    <Button onClick={onClose}>Back</Button>
    <Button look="primary" onClick={onScan}>
      Scan another
    </Button>
  </div>
);
