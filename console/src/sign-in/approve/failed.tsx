import { Hourglass, Smartphone, TriangleAlert, Unplug } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/forms/button';
import type { Action, Stage } from '../flow/stage';
import { Choices } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';

type Failure = Extract<Stage, { readonly at: 'failed' }>['failure'];

const ICONS = {
  unreachable: Unplug,
  not_approved: Hourglass,
  other_tab: Hourglass,
  too_many: Hourglass,
  new_browser: Smartphone,
  not_signed: Hourglass,
  not_nearby: Smartphone,
  unexpected: TriangleAlert,
};

/** A step failed. Without a connection, it is tried again as soon as there is one. */
export function Failed({
  failure,
  canCancel,
  dispatch,
}: {
  readonly failure: Failure;
  readonly canCancel: boolean;
  readonly dispatch: (action: Action) => void;
}) {
  useEffect(() => {
    if (failure !== 'unreachable') return;
    const onOnline = () => dispatch({ type: 'retry' });
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [failure, dispatch]);
  return (
    <>
      <Outcome
        tone={failure === 'unexpected' ? 'bad' : 'calm'}
        icon={ICONS[failure]}
        title={t.failures[failure].title}
        focus
      >
        <p>{t.failures[failure].text}</p>
      </Outcome>
      <Choices>
        <Button look="primary" onClick={() => dispatch({ type: 'retry' })}>
          {t.tryAgain}
        </Button>
        {canCancel && <Button onClick={() => dispatch({ type: 'cancel' })}>{t.cancel}</Button>}
      </Choices>
    </>
  );
}
