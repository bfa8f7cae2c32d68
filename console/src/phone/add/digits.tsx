import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { AccountName } from '../company/company';
import { t } from '../language/strings';
import { whenText } from '../language/when';
import { isRetryable } from '../messages';
import { EnterNumber } from '../pair/number-pad';
import { Sending } from '../phones/sending';
import type { SendStage } from '../prover/prove-to-send';
import { Actions, Screen, Success } from '../screen';
import { svc } from '../service';
import { useHasBeenVisible } from '../use-visible';
import { useWork } from '../use-work';
import style from './add.module.css';
import { NobodyAdded } from './ended';
import { type Added, addPhone, type Invitation, type Met } from './invite';

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
  const work = useWork<SendStage, Added>(async (watch) => {
    const added = await addPhone(invitation, met, digits, watch);
    if (added.outcome === 'rejected') onRejected();
    return added;
  });
  if (work.data?.outcome === 'added')
    return <PhoneAdded identity={identity} inForceAt={work.data.inForceAt} onClose={onClose} />;
  if (work.isIdle && isOver) return <NobodyAdded why="expired" onAgain={onAgain} onClose={onClose} />;
  const add = () => isReady && work.mutate();
  const isEntering = work.isIdle;
  return (
    <Screen
      title={t.phones.adding.digits}
      lead={
        <p className={style.center}>
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
          onEnter={add}
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
            <Button look="primary" busy={!isReady} disabled={digits.length < LENGTH} onClick={add}>
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
