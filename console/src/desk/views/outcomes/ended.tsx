import { Clock3, ShieldX } from 'lucide-react';
import { Button } from '../../../ui/forms/button';
import type { Ending } from '../../flow/scene';
import { useIdle } from '../../flow/use-idle';
import { useTexts } from '../../language/language';
import { usePhoneTexts } from '../../language/phone';
import { StillThere } from '../still-there';
import { Outcome } from './outcome';

/** A code that ended without anybody, and the way to the next one. */
export function Ended({
  how,
  idleSeconds,
  onAgain,
  onStart,
}: {
  readonly how: Ending;
  readonly idleSeconds: number;
  readonly onAgain: () => void;
  readonly onStart: () => void;
}) {
  const { ended: t } = usePhoneTexts();
  const { cancel } = useTexts();
  const left = useIdle(idleSeconds, how, onStart);
  const [title, text] = t[how];
  const Icon = how === 'expired' ? Clock3 : ShieldX;
  return (
    <>
      <Outcome
        tone={how === 'expired' ? 'calm' : 'bad'}
        icon={<Icon strokeWidth={1.75} />}
        title={title}
        text={text}
      >
        <Button look="primary" onClick={onAgain}>
          {t.again}
        </Button>
        <Button onClick={onStart}>{cancel}</Button>
      </Outcome>
      <StillThere left={left} />
    </>
  );
}
