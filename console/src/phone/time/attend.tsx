import {
  type AttendanceContext,
  canSendAgain,
  type Punch,
  type PunchReceipt,
  preparePunch,
  readContext,
} from '@svc/sdk/time';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { useCountdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Outcome, Success } from '../parts/screen/outcome';
import { Progress, stepOf } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { useOnline } from '../parts/use-online';
import { useHasBeenVisible } from '../parts/use-visible';
import { phoneWith } from '../ports/ports';
import { svc } from '../service';
import { type Identity, idOf } from '../vault/identities';
import { ACTS, type ActName, actOf, isForgotten, offered } from './acts';
import { Forgotten } from './forgotten';
import { clockText, dayText } from './format';
import { type KeptTime, readKept } from './kept';
import { usePunch } from './punching';
import { inWords, tt } from './texts';

const STEPS = (['unlocking', 'loading', 'proving', 'sending'] as const).map(
  (stage) => [stage, tt.attend.steps[stage]] as const,
);

/** A clock that differs by more is worth a warning. */
const CLOCK_DIFFERS_S = 30;

interface Choices {
  readonly onClose: () => void;
  readonly onScan: () => void;
  readonly onMonth: () => void;
}

/** A place and a time, as the service has minted them, with what the phone knew when they arrived. */
interface Shown {
  readonly context: AttendanceContext;
  /** How far the clocks differ, in seconds. */
  readonly differs: number;
  readonly kept: KeptTime | undefined;
}

/** Comes or goes: at the desk whose code was scanned, or without a code at one's own place. */
export function Attend({
  identity,
  code,
  ...choices
}: Choices & { readonly identity: Identity; readonly code: string | undefined }) {
  const online = useOnline();
  const shown = useQuery({
    queryKey: ['attend', identity.id, code ?? ''],
    queryFn: async ({ signal }): Promise<Shown> => {
      try {
        const context = await readContext(phoneWith(), identity.id, code, { signal });
        const differs = Math.round(Math.abs(Date.now() - Date.parse(context.scannedAt)) / 1000);
        const kept = (await readKept()).find(({ id }) => id === idOf(identity));
        return { context, differs, kept };
      } catch (error) {
        throw inWords(error);
      }
    },
    enabled: online,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (shown.data && !shown.isFetching)
    return (
      <Choose
        key={shown.data.context.scannedAt}
        identity={identity}
        shown={shown.data}
        onAgain={code === undefined ? () => void shown.refetch() : undefined}
        {...choices}
      />
    );
  return (
    <Screen title={tt.attend.title} lead={<Asking account={identity} />}>
      {shown.error && !shown.isFetching ? (
        <Failure
          error={shown.error}
          onRetry={isRetryable(shown.error) ? () => void shown.refetch() : undefined}
        />
      ) : (
        <Notice tone={online ? 'plain' : 'warn'}>{online ? tt.attend.reading : tt.attend.offline}</Notice>
      )}
      <Actions>
        <Button onClick={choices.onClose}>{t.cancel}</Button>
        {code !== undefined && shown.error && (
          <Button look="primary" onClick={choices.onScan}>
            {t.scanAgain}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

interface Chosen extends Choices {
  readonly identity: Identity;
  readonly shown: Shown;
  /** Asks for the time again, if there is no code to scan. */
  readonly onAgain: (() => void) | undefined;
}

function Choose({ identity, shown, onAgain, ...choices }: Chosen) {
  const { context, differs, kept } = shown;
  const work = usePunch(identity);
  const isReady = useHasBeenVisible();
  const [name, setName] = useState<ActName>();
  const isOver = useCountdown(context.submitUntil) === 0;
  const now = Date.parse(context.scannedAt);
  const unanswered =
    kept?.unanswered && canSendAgain(kept.unanswered, svc.serverNow()) ? kept.unanswered : undefined;
  if (work.data) return <Recorded identity={identity} shown={shown} receipt={work.data} {...choices} />;
  const send = (act: ActName) => {
    setName(act);
    work.mutate(preparePunch(context, ACTS[act]));
  };
  const [first, ...others] = offered(kept?.last, context.breaks, now) as [ActName, ...ActName[]];
  const canTryAgain =
    work.variables && isRetryable(work.error) && canSendAgain(work.variables, svc.serverNow());
  return (
    <Screen
      title={name === undefined ? tt.attend.title : tt.acts[name]}
      lead={<Where identity={identity} context={context} />}
    >
      <Facts facts={[[tt.attend.time, <TimeShown key="time" context={context} />]]} />
      {differs > CLOCK_DIFFERS_S && <Notice tone="warn">{tt.attend.clock(differs)}</Notice>}
      {work.isIdle && !unanswered && <p className={screen.about}>{tt.attend.byService}</p>}
      {work.isIdle && unanswered && <Notice tone="warn">{lostText(unanswered, context)}</Notice>}
      {work.isIdle && !unanswered && isOver && (
        <Notice tone="warn">{onAgain ? tt.attend.tooLateHere : tt.attend.tooLate}</Notice>
      )}
      {work.isPending && <Progress steps={STEPS} now={stepOf(work.stage)} />}
      {work.isPending && work.stage === 'waiting' && <Notice tone="warn">{t.phones.offline}</Notice>}
      {work.error && (
        <Failure
          error={work.error}
          onRetry={canTryAgain ? () => work.mutate(work.variables as Punch) : undefined}
        />
      )}
      <Actions>
        <Button busy={work.isPending && work.stage === 'sending'} onClick={choices.onClose}>
          {work.error ? t.back : t.cancel}
        </Button>
        {work.isIdle && unanswered && (
          <Button look="primary" busy={!isReady} onClick={() => work.mutate(unanswered)}>
            {tt.attend.askAgain}
          </Button>
        )}
        {work.isIdle && !unanswered && !isOver && (
          <>
            {others.map((other) => (
              <Button key={other} busy={!isReady} onClick={() => send(other)}>
                {tt.acts[other]}
              </Button>
            ))}
            <Button look="primary" busy={!isReady} onClick={() => send(first)}>
              {tt.acts[first]}
            </Button>
          </>
        )}
        {!work.isPending && !unanswered && (isOver || work.error) && (
          <Button look="primary" onClick={onAgain ?? choices.onScan}>
            {onAgain ? tt.attend.newTime : t.scanAgain}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

const lostText = ({ statement }: Punch, { timeZone }: AttendanceContext): string =>
  tt.attend.lost(tt.acts[actOf(statement)], clockText(statement.scannedAt, timeZone ?? undefined));

const Where = ({
  identity,
  context,
}: {
  readonly identity: Identity;
  readonly context: AttendanceContext;
}) => (
  <Asking account={{ ...identity, companyName: context.company }}>
    <span>{context.place ? tt.attend.at(<Text of={context.place.name} />) : tt.attend.remote}</span>
  </Asking>
);

const TimeShown = ({ context: { scannedAt, timeZone } }: { readonly context: AttendanceContext }) => (
  <time dateTime={scannedAt}>
    {dayText(scannedAt, timeZone ?? undefined)}, {clockText(scannedAt, timeZone ?? undefined)}
  </time>
);

/** A tick only if everything was computed again, the signature too. After a shift without an end, asks when the person went. */
function Recorded({
  identity,
  shown,
  receipt,
  onClose,
  onMonth,
}: Choices & { readonly identity: Identity; readonly shown: Shown; readonly receipt: PunchReceipt }) {
  const [isAsking, setAsking] = useState(false);
  const { context, kept } = shown;
  const before = kept?.last;
  const asksWhen = before !== undefined && isForgotten(before, Date.parse(context.scannedAt));
  if (isAsking && before)
    return <Forgotten identity={identity} receipt={receipt} before={before} onClose={onClose} />;
  const done = asksWhen ? () => setAsking(true) : onClose;
  const { occurredAt } = receipt.attendance;
  const text = (
    <>
      <p>
        <Text of={context.company} />
        {context.place && (
          <>
            , <Text of={context.place.name} />
          </>
        )}
        , {clockText(occurredAt, context.timeZone ?? undefined)}
      </p>
      <p>{receipt.signature === 'valid' ? tt.attend.checked : tt.attend.unsigned.text}</p>
      <p>{tt.attend.takeBack}</p>
    </>
  );
  if (receipt.signature === 'valid')
    return (
      <Success title={tt.done[actOf(receipt.attendance)]} action={t.done} onAction={done}>
        {text}
      </Success>
    );
  return (
    <Outcome
      icon={CircleAlert}
      tone="calm"
      title={tt.attend.unsigned.title}
      actions={
        <>
          <Button onClick={onMonth}>{tt.title}</Button>
          <Button look="primary" onClick={done}>
            {t.done}
          </Button>
        </>
      }
    >
      {text}
    </Outcome>
  );
}
