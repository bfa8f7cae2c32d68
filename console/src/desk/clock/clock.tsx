import { CloudOff, KeyRound } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { QrCode } from '../../ui/codes/qr-code';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import type { DeskService } from '../device/service';
import { useIdle } from '../flow/use-idle';
import { useClockTexts } from '../language/clock';
import { useTexts } from '../language/language';
import { usePhoneTexts } from '../language/phone';
import { WithoutPhone } from '../without-phone/room';
import style from './clock.module.css';
import { liveCode, secondsLeft } from './code-life';
import { Confirmations } from './confirmation';
import type { Confirmation } from './confirmations';
import { useClockTime, useDayName } from './time-of-day';
import { type ShownCode, useAttendanceCode } from './use-attendance-code';
import { useConfirmations } from './use-confirmations';
import { useNow } from './use-now';

interface Leaving {
  /** Nobody has touched it for so long. */
  readonly idleSeconds: number;
  readonly onIdle: () => void;
  /** Undefined if this screen shows nothing else. */
  readonly onBack: (() => void) | undefined;
}

/** Where people clock in and out. */
export function ClockScene({ service, ...leaving }: Leaving & { readonly service: DeskService }) {
  const [confirmations, confirm] = useConfirmations();
  const shown = useAttendanceCode(service, confirm);
  const [isTyping, setTyping] = useState(false);
  if (isTyping) {
    const { timeZone, hasBreaks } = shown;
    const { idleSeconds } = leaving;
    const back = () => setTyping(false);
    return <WithoutPhone {...{ service, timeZone, hasBreaks, idleSeconds }} onLeave={back} />;
  }
  const type = () => setTyping(true);
  return <CodeView {...{ shown, confirmations }} name={service.device.name} onType={type} {...leaving} />;
}

function CodeView({
  shown: { code, problem, timeZone },
  confirmations,
  name,
  onType,
  idleSeconds,
  onIdle,
  onBack,
}: Leaving & {
  readonly shown: ShownCode;
  readonly confirmations: readonly Confirmation[];
  readonly name: string;
  readonly onType: () => void;
}) {
  const t = useClockTexts();
  const { back } = useTexts();
  const now = useNow();
  const [time, day] = [useClockTime(timeZone), useDayName(timeZone)];
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // Who scans the code touches nothing.
  useIdle(idleSeconds, confirmations[0]?.attendanceId ?? '', onIdle);
  return (
    <div className={style.clock}>
      <p className={style.now}>
        <time className={style.time}>{time(now)}</time>
        <span className={style.day}>{day(now)}</span>
        <Text of={name} />
      </p>
      <div className={style.scan}>
        <h1 ref={heading} tabIndex={-1}>
          {t.title}
        </h1>
        <CodePlace code={liveCode(code, now)} problem={problem} now={now} />
      </div>
      <Confirmations of={confirmations} time={time} />
      <div className={style.actions}>
        {onBack && <Button onClick={onBack}>{back}</Button>}
        <Button onClick={onType}>
          <KeyRound size={22} aria-hidden="true" />
          {t.withoutPhone}
        </Button>
      </div>
    </div>
  );
}

/** The code, or in its place why there is none. */
function CodePlace({ code, problem, now }: Pick<ShownCode, 'code' | 'problem'> & { readonly now: number }) {
  const t = useClockTexts();
  const { problems } = useTexts();
  const { registering } = usePhoneTexts();
  if (code === undefined) {
    const isOffline = problem?.kind === 'offline';
    const [title, text] = isOffline ? t.lost : problem ? problems[problem.kind] : [registering.opening, ''];
    return (
      <div className={style.place} role="status">
        {problem && <CloudOff size={48} strokeWidth={1.5} aria-hidden="true" />}
        <strong>{title}</strong>
        {text && <span>{text}</span>}
      </div>
    );
  }
  const { url, value } = code;
  return (
    <>
      <div className={style.code} data-qr-payload={value}>
        <QrCode text={url?.startsWith('https:') ? url : value} label={t.code} />
      </div>
      <p className={style.left}>{t.nextIn(secondsLeft(code, now))}</p>
    </>
  );
}
