import { isSvcError } from '@svc/sdk';
import { NewBrowserRefused as NewBrowserRefusedError, type Stage } from '@svc/sdk/phone';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useCountdown } from '../../ui/lists/time';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { EnterNumber } from '../parts/number-pad';
import { Progress } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { useHasBeenVisible } from '../parts/use-visible';
import type { Approvable } from './approvable';
import { type Asked, decideUntil } from './asked';
import { AskedFrom, Where } from './asked-from';
import { useApproval, useCompanyNow, useDecline } from './decision';
import { CannotApprove, CheckScreen, CodeChanged, Declined, EXPIRED, SignedIn, WrongNumber } from './ended';
import { Nearby, NewBrowserRefused } from './nearby/nearby';

const stepsOf = (isAttested: boolean): readonly (readonly [Stage, string])[] => [
  ['unlocking', t.pair.steps.unlocking],
  ['loading', t.pair.steps.loading],
  ['proving', t.pair.steps.proving],
  ['waiting', t.pair.steps.waiting],
  ...(isAttested ? ([['signing', t.passkey.signing]] as const) : []),
  ['sending', t.pair.steps.sending],
];

const NUMBER_LENGTH = 2;

/** Asks whether to sign in, and sends the decision. If the session has a number, typing it is the approval. */
export function Approve({
  found,
  asked,
  ...choices
}: {
  readonly found: Approvable;
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const { code } = found;
  const asksNumber = asked.context.match === 'type';
  const [digits, setDigits] = useState('');
  const [cancelled, setCancelled] = useState(false);
  const company = useCompanyNow(found, asked);
  const work = useApproval(found, asked, company);
  const decline = useDecline(found, asked);
  const isReady = useHasBeenVisible();
  const until = decideUntil(code, asked);
  const isOver = useCountdown(until) === 0;
  const account = { ...code, ...company };

  if (work.data?.session.state === 'proved')
    return <Nearby found={found} asked={asked} account={account} {...choices} />;
  if (work.data) return <SignedIn approved={work.data} account={account} onClose={choices.onClose} />;
  if (cancelled) return <CheckScreen {...choices} />;
  if (decline.data) return <Declined how={decline.data} account={account} onClose={choices.onClose} />;
  if (isSvcError(work.error, 'pairing_match_failed')) return <WrongNumber {...choices} />;
  if (work.error instanceof NewBrowserRefusedError)
    return <NewBrowserRefused refused={work.error.identity} {...choices} />;
  if (isSvcError(work.error, 'pairing_code_stale')) return <CodeChanged {...choices} />;
  if (work.isIdle && isOver && !decline.isPending)
    return code.scan ? <CodeChanged {...choices} /> : <CannotApprove error={EXPIRED} {...choices} />;

  const steps = stepsOf(asked.context.requiresAttestation || work.stage === 'signing');
  const cancel = () => {
    if (!(work.isPending && work.stage === 'sending')) return choices.onClose();
    work.stop();
    setCancelled(true);
  };
  const approve = (number = digits) => work.mutate(asksNumber ? number : undefined);
  const type = (typed: string) => {
    setDigits(typed);
    if (typed.length === NUMBER_LENGTH) approve(typed);
  };
  return (
    <Screen
      title={t.pair.title}
      lead={
        <Asking account={account}>
          <Where context={asked.context} />
        </Asking>
      }
    >
      {work.isIdle && (
        <AskedFrom code={code} asked={asked} until={until}>
          {asksNumber && (
            <EnterNumber
              length={NUMBER_LENGTH}
              about={t.pair.number.about}
              digits={digits}
              isReady={isReady && decline.isIdle}
              onChange={type}
            />
          )}
        </AskedFrom>
      )}
      {work.isPending && <Progress steps={steps} now={work.stage ?? 'unlocking'} />}
      {work.stage === 'waiting' && work.isPending && <Notice>{t.pair.waiting}</Notice>}
      {work.error && (
        <Failure error={work.error} onRetry={isRetryable(work.error) ? () => approve() : undefined} />
      )}
      {work.isIdle && decline.isPending && <Notice>{t.pair.declining}</Notice>}
      {work.isIdle && decline.error && <Failure error={decline.error} onRetry={() => decline.mutate()} />}
      <Actions>
        {work.isIdle ? (
          <>
            <Button onClick={choices.onClose}>{t.cancel}</Button>
            <Button
              look="danger"
              className={screen.notMe}
              busy={decline.isPending}
              onClick={() => decline.mutate()}
            >
              {t.pair.notMe}
            </Button>
          </>
        ) : (
          <Button onClick={work.isPending ? cancel : choices.onClose}>
            {work.isPending ? t.cancel : t.back}
          </Button>
        )}
        {work.error ? (
          <Button look="primary" onClick={choices.onScan}>
            {t.scanAgain}
          </Button>
        ) : (
          // Two digits approve.
          !(asksNumber && work.isIdle) && (
            <Button look="primary" busy={work.isPending || !isReady} onClick={() => approve()}>
              {t.pair.approve}
            </Button>
          )
        )}
      </Actions>
    </Screen>
  );
}
