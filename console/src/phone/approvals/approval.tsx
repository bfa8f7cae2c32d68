import { isSvcError } from '@svc/sdk';
import type { Choice, Stage } from '@svc/sdk/phone';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useCountdown } from '../../ui/lists/time';
import { useHasEnded, type Waiting } from '../inbox/inbox';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountName } from '../parts/company/company';
import { EnterNumber } from '../parts/number-pad';
import { Progress, stepOf } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sheet } from '../parts/sheet';
import { TimeLeft } from '../parts/time-left';
import { useHasBeenVisible } from '../parts/use-visible';
import { Asker } from './asker';
import { endOf } from './decide';
import { Approved, Declined, Ended, NotAccepted, NumbersLocked, Unknown, WrongNumber } from './ended';
import style from './limits.module.css';
import { Reasons } from './reasons';
import { useDecision } from './use-decision';
import { useReadToEnd } from './use-read-to-end';

const stepsOf = (): readonly (readonly [Stage, string])[] => [
  ['unlocking', t.approvals.steps.unlocking],
  ['loading', t.approvals.steps.loading],
  ['proving', t.approvals.steps.proving],
  ['sending', t.approvals.steps.sending],
];

const NUMBER_LENGTH = 2;
/** After so many wrong numbers, the service accepts none for an hour. */
const WRONG_NUMBERS = 3;

/** Shows what is to be approved, and sends what the person decides. */
export function Approval({ waiting, onClose }: { readonly waiting: Waiting; readonly onClose: () => void }) {
  const { statement } = waiting;
  const [step, setStep] = useState<'read' | 'number' | 'reasons'>('read');
  const [cut, setCut] = useState(false);
  const work = useDecision(waiting);
  const isOver = useCountdown(statement.expiresAt) === 0;
  const hasEnded = useHasEnded(waiting);
  const account = accountOf(waiting);
  const end = useQuery({
    queryKey: ['end-of', statement.approvalId, work.submittedAt],
    queryFn: () => endOf(waiting),
    enabled: isSvcError(work.error, 'approval_closed'),
    gcTime: 0,
  });

  if (work.data) {
    const { choice, decided } = work.data;
    if (choice.decision === 'decline')
      return <Declined account={account} reason={choice.reason} onClose={onClose} />;
    return <Approved account={account} isPending={decided.state === 'pending'} onClose={onClose} />;
  }
  if (cut) return <Unknown onClose={onClose} />;
  if (end.data) return <Ended how={end.data} onClose={onClose} />;
  if (work.isIdle && isOver) return <Ended how="expired" onClose={onClose} />;
  if (work.isIdle && hasEnded) return <Ended how="closed" onClose={onClose} />;
  if (isSvcError(work.error, 'pairing_match_failed')) {
    const isLocked = work.wrongNumbers >= WRONG_NUMBERS;
    const again = () => {
      work.reset();
      setStep(isLocked ? 'read' : 'number');
    };
    return isLocked ? (
      <NumbersLocked onBack={again} onClose={onClose} />
    ) : (
      <WrongNumber onAgain={again} onClose={onClose} />
    );
  }
  if (isSvcError(work.error, 'verification_failed')) return <NotAccepted onClose={onClose} />;

  const decide = (choice: Choice) => work.mutate(choice);
  if (work.isIdle && step === 'number')
    return (
      <TypeNumber
        waiting={waiting}
        onBack={() => setStep('read')}
        onEnter={(matchCode) => decide({ decision: 'approve', matchCode })}
      />
    );
  if (work.isIdle && step === 'reasons')
    return (
      <Reasons
        onBack={() => setStep('read')}
        onChoose={(reason) => decide({ decision: 'decline', reason })}
      />
    );
  if (work.isIdle)
    return (
      <Read
        waiting={waiting}
        onClose={onClose}
        onDecline={() => setStep('reasons')}
        onNotMe={() => decide({ decision: 'decline', reason: 'not_me' })}
        onApprove={() => (statement.match === 'type' ? setStep('number') : decide({ decision: 'approve' }))}
      />
    );
  const stop = () => {
    if (work.isPending && work.stage === 'sending') setCut(true);
    work.stop();
    if (work.stage !== 'sending') onClose();
  };
  const { error, variables } = work;
  return (
    <Screen title={t.approvals.title} lead={<Asker account={account} />}>
      {work.isPending && <Progress steps={stepsOf()} now={stepOf(work.stage)} />}
      {work.isPending && work.stage === 'waiting' && <Notice tone="warn">{t.approvals.waiting}</Notice>}
      {error && (
        <Failure
          error={error}
          onRetry={isRetryable(error) && variables ? () => decide(variables) : undefined}
        />
      )}
      <Actions>
        <Button onClick={work.isPending ? stop : onClose}>{work.isPending ? t.cancel : t.back}</Button>
      </Actions>
    </Screen>
  );
}

/** The company is the one of the statement, with the look that this phone knows. */
const accountOf = ({ identity, statement }: Waiting) => ({ ...identity, companyName: statement.company });

/** The approval itself. Approving works only after the end of its text was on the screen. */
function Read({
  waiting,
  onClose,
  onDecline,
  onNotMe,
  onApprove,
}: {
  readonly waiting: Waiting;
  readonly onClose: () => void;
  readonly onDecline: () => void;
  readonly onNotMe: () => void;
  readonly onApprove: () => void;
}) {
  const { statement } = waiting;
  const { required, approvers, match, expiresAt } = statement;
  const isReady = useHasBeenVisible();
  const end = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const isRead = useReadToEnd(isReady, end, buttons);
  const label = match === 'type' ? t.approvals.enterNumber : t.approvals.approve;
  return (
    <Screen title={t.approvals.title} lead={<Asker account={accountOf(waiting)} />}>
      <p className={style.limits}>
        <strong>
          <TimeLeft until={expiresAt} />
        </strong>
        {approvers.length > 1 && <span>{t.approvals.needs(required, approvers.length)}</span>}
      </p>
      <div ref={end}>
        <Sheet statement={statement} />
      </div>
      <p className={screen.about}>{t.approvals.onlyOnce}</p>
      <Button look="quiet" onClick={onClose}>
        {t.approvals.later}
      </Button>
      <p className="visually-hidden" role="status">
        {isRead && t.approvals.canApprove}
      </p>
      <Actions ref={buttons}>
        <Button onClick={onDecline}>{t.approvals.decline}</Button>
        <Button look="danger" className={screen.notMe} busy={!isReady} onClick={onNotMe}>
          {t.approvals.notMe}
        </Button>
        <Button look="primary" disabled={!isRead} onClick={onApprove}>
          {isRead ? label : t.approvals.readOn}
        </Button>
      </Actions>
    </Screen>
  );
}

function TypeNumber({
  waiting,
  onBack,
  onEnter,
}: {
  readonly waiting: Waiting;
  readonly onBack: () => void;
  readonly onEnter: (digits: string) => void;
}) {
  const [digits, setDigits] = useState('');
  const enter = () => onEnter(digits);
  return (
    <Screen
      title={t.pair.number.title}
      lead={
        <p className={screen.about}>
          <AccountName account={accountOf(waiting)} />
        </p>
      }
    >
      <EnterNumber
        length={NUMBER_LENGTH}
        about={t.approvals.number.about}
        digits={digits}
        onChange={setDigits}
        onEnter={enter}
      />
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
        <Button look="primary" disabled={digits.length < NUMBER_LENGTH} onClick={enter}>
          {t.approvals.approve}
        </Button>
      </Actions>
    </Screen>
  );
}
