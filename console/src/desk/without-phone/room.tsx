import { type ReactNode, useEffect } from 'react';
import { Notice } from '../../ui/layout/surface';
import type { Act } from '../clock/acts';
import { useClockTime } from '../clock/time-of-day';
import type { DeskService } from '../device/service';
import { useClockTexts } from '../language/clock';
import { Idle } from '../views/idle';
import { Outcome, Tick } from '../views/outcomes/outcome';
import { ChooseAct } from './choose-act';
import type { Fault } from './known';
import { Month } from './month';
import { Pad } from './pad';
import { useWithoutPhone, type WithoutPhoneFlow } from './use-without-phone';
import style from './without-phone.module.css';

const DONE_MS = 4_000;

/** For somebody without a phone: their number and PIN, and then what they want. Nothing of it stays. */
export function WithoutPhone({
  service,
  timeZone,
  hasBreaks,
  idleSeconds,
  onLeave,
}: {
  readonly service: DeskService;
  readonly timeZone: string | undefined;
  readonly hasBreaks: boolean;
  readonly idleSeconds: number;
  readonly onLeave: () => void;
}) {
  const flow = useWithoutPhone(service);
  const { step, fault, known, ask, go } = flow;
  const texts = useClockTexts();
  if (step.at === 'done') return <Done {...step} timeZone={timeZone} onOver={onLeave} />;
  const shown = fault && <Notice tone="bad">{faultText(fault, texts)}</Notice>;
  return (
    <Idle seconds={idleSeconds} name={step.at} onIdle={onLeave}>
      <div className={style.room}>
        {step.at === 'month' ? (
          <Month
            {...{ service, known, ask, timeZone, onLeave }}
            onAgain={(as) => {
              flow.setKnown(as);
              go({ at: 'month' });
            }}
            onBack={() => go({ at: 'act' })}
          />
        ) : (
          <Asked {...{ flow, shown, hasBreaks, onLeave }} />
        )}
        {(step.at === 'act' || step.at === 'month') && shown}
      </div>
    </Idle>
  );
}

const faultText = (fault: Fault, { faults }: ReturnType<typeof useClockTexts>): string =>
  fault.kind === 'locked' ? faults.locked(fault.minutes) : faults[fault.kind];

/** The step that asks for something to be typed or chosen. */
function Asked({
  flow,
  shown,
  hasBreaks,
  onLeave,
}: {
  readonly flow: WithoutPhoneFlow;
  readonly shown: ReactNode;
  readonly hasBreaks: boolean;
  readonly onLeave: () => void;
}) {
  const { pad: t } = useClockTexts();
  const { step, known, setKnown, go, isBusy, declare, changePin } = flow;
  const pin = { kind: 'pin', about: shown } as const;
  switch (step.at) {
    case 'number': {
      const done = (number: string) => {
        setKnown({ number, pin: '' });
        go({ at: 'pin' });
      };
      return (
        <Pad
          key="number"
          title={t.number}
          kind="number"
          first={known.number}
          onDone={done}
          onBack={onLeave}
        />
      );
    }
    case 'pin': {
      const done = (typed: string) => {
        setKnown({ ...known, pin: typed });
        go({ at: 'act' });
      };
      return <Pad key="pin" {...pin} title={t.pin} onDone={done} onBack={() => go({ at: 'number' })} />;
    }
    case 'act': {
      const choose = (act: Act) => void declare(known, act);
      const month = () => go({ at: 'month' });
      return (
        <ChooseAct {...{ hasBreaks }} busy={isBusy} onChoose={choose} onMonth={month} onBack={onLeave} />
      );
    }
    case 'new-pin': {
      const done = (newPin: string) => go({ at: 'repeat', newPin, next: step.next });
      const about = shown ?? <p>{t.newPinAbout}</p>;
      return <Pad key="new-pin" {...pin} title={t.newPin} about={about} onDone={done} onBack={onLeave} />;
    }
    case 'repeat': {
      const { newPin, next } = step;
      const done = (again: string) =>
        again === newPin ? void changePin(again, next) : go({ at: 'new-pin', next }, { kind: 'mismatch' });
      const back = () => go({ at: 'new-pin', next });
      return <Pad key="repeat" {...pin} title={t.repeat} onDone={done} onBack={back} />;
    }
    default:
      return null;
  }
}

/** What the service has recorded, for as long as a person looks. */
function Done({
  act,
  time,
  timeZone,
  onOver,
}: {
  readonly act: Act;
  readonly time: string;
  readonly timeZone: string | undefined;
  readonly onOver: () => void;
}) {
  const { done } = useClockTexts();
  const format = useClockTime(timeZone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    const timer = setTimeout(onOver, DONE_MS);
    return () => clearTimeout(timer);
  }, []);
  return <Outcome tone="good" icon={<Tick />} title={done[act](format(time))} />;
}
