import type { PairingCode } from '@svc/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Countdown, Time } from '../../ui/lists/time';
import { AccountName, RequestingAccount } from '../identities/account';
import { IDENTITIES } from '../identities/identity';
import { isRetryable, withPhoneMessage } from '../messages';
import { useOnline } from '../offline/online';
import { Actions, Progress, Screen, Success } from '../screen';
import { useWork } from '../use-work';
import { type Approvable, approve, expectUsable, matchCode, type Stage } from './approval';

const STEPS: readonly (readonly [Stage, string])[] = [
  ['unlocking', 'Unlock the identity'],
  ['loading', 'Load the prover'],
  ['proving', 'Create the proof'],
  ['waiting', 'Wait for a network'],
  ['sending', 'Send the proof'],
];

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
  if (match.error) return <CannotApprove error={match.error} onClose={onClose} onScan={onScan} />;
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
  const isReady = useHasBeenVisible();
  const [cancelled, setCancelled] = useState(false);
  const cancel = () => {
    if (!(work.isPending && work.stage === 'sending')) return onClose();
    work.stop();
    setCancelled(true);
  };
  const until = new Date(found.code.expiresAtSeconds * 1000).toISOString();
  if (work.isSuccess)
    return (
      <Success title="Signed in" onClose={onClose}>
        <p>
          The desktop is signed in at <AccountName account={found.code} />. Logging out on either device ends
          the session on both.
        </p>
      </Success>
    );
  if (cancelled)
    return (
      <Screen title="Check the desktop">
        <Notice tone="warn">
          The proof was already sent and can’t be taken back, so the desktop may be signed in. If you don’t
          want that, log out on the desktop.
        </Notice>
        <Choices onClose={onClose} onScan={onScan} />
      </Screen>
    );
  if (work.isIdle && usable.error)
    return <CannotApprove error={usable.error} onClose={onClose} onScan={onScan} />;
  return (
    <Screen title="Sign this desktop in?">
      <RequestingAccount account={found.code} />
      <Facts
        facts={[
          ['Service', found.code.baseUrl],
          ['Code valid until', <Time key="until" at={until} />],
          ['Time left', <Countdown key="left" until={until} />],
        ]}
      />
      {work.isIdle && (
        <p>
          Approve only a code on a desktop in front of you. The person at that desktop is signed in as you.
        </p>
      )}
      {!online && work.isIdle && (
        <Notice tone="warn">
          You are offline. You can create the proof now. It is sent when the network is back, if the code is
          still valid.
        </Notice>
      )}
      {work.isPending && <Progress steps={STEPS} now={work.stage ?? 'unlocking'} />}
      {work.stage === 'waiting' && work.isPending && (
        <Notice>The proof is ready and is sent when the network is back.</Notice>
      )}
      {work.error && (
        <Failure
          error={withPhoneMessage(work.error)}
          onRetry={isRetryable(work.error) ? () => work.mutate() : undefined}
        />
      )}
      <Actions>
        <Button onClick={cancel}>Cancel</Button>
        {work.error ? (
          <Button look="primary" onClick={onScan}>
            Scan again
          </Button>
        ) : (
          <Button look="primary" busy={work.isPending || !isReady} onClick={() => work.mutate()}>
            Approve
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

const MIN_VISIBLE_MS = 500;

/**
 * Whether the screen has been visible for 500 ms, long enough to see what it asks. This prevents clickjacking: another page could
 * make the person double-click where this button appears between the two clicks.
 */
function useHasBeenVisible(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      setReady(false);
      timer = setTimeout(() => setReady(true), MIN_VISIBLE_MS);
    };
    restart();
    addEventListener('focus', restart);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', restart);
    };
  }, []);
  return isReady;
}

const CannotApprove = ({
  error,
  ...choices
}: {
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) => (
  <Screen title="This code can’t be approved">
    <Failure error={withPhoneMessage(error)} />
    <Choices {...choices} />
  </Screen>
);

const Choices = ({ onClose, onScan }: { readonly onClose: () => void; readonly onScan: () => void }) => (
  <Actions>
    <Button onClick={onClose}>Back</Button>
    <Button look="primary" onClick={onScan}>
      Scan another code
    </Button>
  </Actions>
);
