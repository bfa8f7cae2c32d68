import { useEffect, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Text } from '../../../ui/lists/value';
import { onTouch, useIdle } from '../../flow/use-idle';
import { useTexts } from '../../language/language';
import { usePhoneTexts } from '../../language/phone';
import { StillThere } from '../still-there';
import { Outcome, Tick } from './outcome';

/** Long enough to read a name, short enough for the next person. */
const SECONDS = 10;

/** The tick with the person's name, until the next person begins. */
export function Done({
  how,
  name,
  idleSeconds,
  onAnother,
  onStart,
}: {
  readonly how: 'registered' | 'signed-in';
  readonly name: string | null;
  readonly idleSeconds: number;
  readonly onAnother: () => void;
  readonly onStart: () => void;
}) {
  const { done: t } = usePhoneTexts();
  const { toStart, backIn } = useTexts();
  const [isCounting, setCounting] = useState(true);
  useEffect(() => onTouch(() => setCounting(false)), []);
  const left = useIdle(isCounting ? SECONDS : idleSeconds, String(isCounting), onStart);
  const isRegistered = how === 'registered';
  const given = name?.trim() ? <Text of={name} /> : undefined;
  const title = isRegistered
    ? t.registered(given)
    : given === undefined
      ? t.signedInAnybody
      : t.signedIn(given);
  return (
    <>
      <Outcome
        tone="good"
        icon={<Tick />}
        title={title}
        text={isRegistered ? t.registeredAbout : t.signedInAbout}
      >
        <Button look="primary" onClick={onAnother}>
          {isRegistered ? t.registerAnother : t.signInAnother}
        </Button>
        <Button onClick={onStart}>{isCounting ? `${toStart} · ${left}` : toStart}</Button>
      </Outcome>
      {isCounting ? <p className="visually-hidden">{backIn(SECONDS)}</p> : <StillThere left={left} />}
    </>
  );
}
