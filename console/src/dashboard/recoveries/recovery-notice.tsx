import type { Recovery } from '@svc/sdk';
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { Time, useCountdown } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { useMemberNames } from '../nouns/members/use-members';
import { remaining } from '../nouns/remaining';
import { useAccount } from '../operations/account';
import { DECISIONS, type Decision } from './decide';

/** A recovery that is not completed yet, with what the account can do about it. */
export function RecoveryNotice({
  recovery,
  as: Frame = Notice,
  children,
}: {
  readonly recovery: Recovery;
  /** What it is shown as. */
  readonly as?: ComponentType<ComponentProps<typeof Notice>>;
  /** Whose it is, where the page doesn't say so. */
  readonly children?: ReactNode;
}) {
  const [decision, setDecision] = useState<Decision>();
  const canConfirm = useCanConfirm(recovery);
  const Decide = decision && DECISIONS[decision];
  return (
    <>
      <Frame
        tone={recovery.held ? 'bad' : 'warn'}
        action={
          <Needs least="owner">
            <Row>
              {canConfirm && (
                <Button small onClick={() => setDecision('confirm')}>
                  Confirm the recovery
                </Button>
              )}
              <Button small onClick={() => setDecision('cancel')}>
                Stop the recovery
              </Button>
            </Row>
          </Needs>
        }
      >
        {children}
        {recovery.held ? <Held recovery={recovery} /> : <TakesOver at={recovery.completesAt} />}
      </Frame>
      {Decide && <Decide recovery={recovery} onClose={() => setDecision(undefined)} />}
    </>
  );
}

/** Where two people decide, who opened a recovery does not decide alone, and nobody decides twice. */
function useCanConfirm(recovery: Recovery): boolean {
  const { held, contestedAt, openedBy, confirmedBy, confirmationsNeeded } = recovery;
  const self = useAccount().data?.member.id;
  if (!held || self === undefined) return false;
  // If enough have confirmed it and it is still held, somebody was no owner then. Confirming it again counts who is one now.
  const isMissing = !confirmedBy.includes(self) || confirmedBy.length >= confirmationsNeeded;
  return isMissing && (contestedAt !== null || openedBy !== self);
}

function Held({ recovery }: { readonly recovery: Recovery }) {
  const names = useMemberNames();
  const [first] = recovery.confirmedBy;
  return (
    <>
      <strong>
        {recovery.contestedAt !== null
          ? 'The recovery is on hold, because somebody objected with a phone that was revoked earlier.'
          : recovery.openedBy === null
            ? 'The recovery waits for two owners, because it was started with an API key.'
            : 'The recovery waits for an owner who did not start it.'}
      </strong>{' '}
      Ask the person, in a way that you trust, whether the new phone is theirs.
      {first !== undefined && (
        <>
          {' '}
          <strong>{names?.get(first) ?? 'One owner'}</strong> confirmed it. Another owner has to confirm it
          too.
        </>
      )}
      {first === undefined &&
        recovery.contestedAt !== null &&
        recovery.confirmationsNeeded > 1 &&
        ' Two owners have to confirm it.'}
    </>
  );
}

function TakesOver({ at }: { readonly at: string }) {
  const seconds = useCountdown(at);
  if (seconds === 0) return <>A new phone is taking over now.</>;
  return (
    <>
      <strong>
        A new phone takes over in <span role="timer">{remaining(seconds)}</span>
      </strong>{' '}
      (<Time at={at} />
      ). Then every earlier phone that still works is revoked. If the person did not ask for it, stop the
      recovery.
    </>
  );
}
