import { type Added, add, type Met, type Stage } from '@svc/sdk/phone';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { whenText } from '../language/when';
import { AccountName } from '../parts/company/company';
import { EnterNumber } from '../parts/number-pad';
import { Success } from '../parts/screen/outcome';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { useHasBeenVisible } from '../parts/use-visible';
import { useWork } from '../parts/use-work';
import { svc } from '../service';
import { NobodyAdded } from './ended';
import type { Invitation } from './invitation';

const LENGTH = 6;

/** Asks for the digits of the new phone, once, and adds it. */
export function EnterDigits({
  invitation,
  met,
  isOver,
  onRejected,
  onNotMine,
  onAgain,
  onClose,
}: {
  readonly invitation: Invitation;
  readonly met: Met;
  readonly isOver: boolean;
  readonly onRejected: () => void;
  readonly onNotMine: () => void;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  const { identity } = invitation;
  const [digits, setDigits] = useState('');
  const isReady = useHasBeenVisible();
  const work = useWork<Stage, Added>(async (watch) => {
    const added = await add(invitation.phone, invitation, met, digits, watch);
    if (added.outcome === 'rejected') onRejected();
    return added;
  });
  if (work.data?.outcome === 'added')
    return <PhoneAdded identity={identity} inForceAt={work.data.inForceAt} onClose={onClose} />;
  if (work.isIdle && isOver) return <NobodyAdded why="expired" onAgain={onAgain} onClose={onClose} />;
  const submit = () => isReady && work.mutate();
  const isEntering = work.isIdle;
  return (
    <Screen
      title={t.phones.adding.digits}
      lead={
        <p className={screen.center}>
          <AccountName account={identity} />
        </p>
      }
    >
      {isEntering && (
        <EnterNumber
          length={LENGTH}
          about={t.phones.adding.digitsText}
          digits={digits}
          onChange={setDigits}
          onEnter={submit}
        />
      )}
      {work.isPending && <Sending stage={work.stage} />}
      {work.error && (
        <Failure
          error={work.error}
          onRetry={isRetryable(work.error) && !isOver ? () => work.mutate() : undefined}
        />
      )}
      <Actions>
        {isEntering ? (
          <>
            <Button look="danger" onClick={onNotMine}>
              {t.phones.adding.notMine}
            </Button>
            <Button look="primary" busy={!isReady} disabled={digits.length < LENGTH} onClick={submit}>
              {t.phones.adding.action}
            </Button>
          </>
        ) : (
          work.error && <Button onClick={onClose}>{t.back}</Button>
        )}
      </Actions>
    </Screen>
  );
}

const PhoneAdded = ({
  identity,
  inForceAt,
  onClose,
}: {
  readonly identity: Invitation['identity'];
  readonly inForceAt: string | null;
  readonly onClose: () => void;
}) => {
  const company = <AccountName account={identity} />;
  return (
    <Success title={t.phones.adding.done} action={t.done} onAction={onClose}>
      <p>
        {inForceAt === null || Date.parse(inForceAt) <= svc.serverNow()
          ? t.phones.adding.doneText(company)
          : t.phones.adding.doneLater(company, whenText(inForceAt))}
      </p>
    </Success>
  );
};
