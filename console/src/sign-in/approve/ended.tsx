import { Hash, ShieldX, TimerOff } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import type { Action, End } from '../flow/stage';
import { Choices } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';

const LOOKS = {
  declined: ['bad', ShieldX],
  rejected: ['bad', Hash],
  expired: ['calm', TimerOff],
} as const;

/** The code ended without an approval. Another one is a press away. */
export function Ended({ how, dispatch }: { readonly how: End; readonly dispatch: (action: Action) => void }) {
  const [tone, icon] = LOOKS[how];
  return (
    <>
      <Outcome tone={tone} icon={icon} title={t.ended[how].title} focus>
        <p>{t.ended[how].text}</p>
      </Outcome>
      <Choices>
        <Button look="primary" onClick={() => dispatch({ type: 'new-code' })}>
          {t.ended.again}
        </Button>
        <Button onClick={() => dispatch({ type: 'cancel' })}>{t.cancel}</Button>
      </Choices>
    </>
  );
}
