import { useEffect } from 'react';
import { Button } from '../../../ui/forms/button';
import { detailsOf } from '../../../ui/forms/form';
import { serverNow } from '../../../ui/server-time';
import { problemOf } from '../../device/problem';
import { retryOf, type Scene } from '../../flow/scene';
import { useIdle } from '../../flow/use-idle';
import { useTexts } from '../../language/language';
import { StillThere } from '../still-there';
import { OutOfOrder } from './out-of-order';

/** What the service did not like about the person is shown in the form. */
export function afterError(scene: Scene, error: unknown): Scene {
  if (scene.at === 'registering' && detailsOf(error).some(({ path }) => path.startsWith('body.profile')))
    return { at: 'person', person: scene.person, error };
  return { at: 'problem', problem: problemOf(error), again: scene };
}

/** A step that the service did not take. What passes by itself is tried again by itself. */
export function Failed({
  scene: { problem, again },
  idleSeconds,
  setScene,
  free,
}: {
  readonly idleSeconds: number;
  readonly scene: Scene & { at: 'problem' };
  readonly setScene: (scene: Scene) => void;
  readonly free: () => void;
}) {
  const t = useTexts();
  const left = useIdle(idleSeconds, 'problem', free);
  const retry = () => setScene(retryOf(again));
  const isOver = problem.kind === 'revoked' || problem.kind === 'closed';
  useEffect(() => {
    if (isOver) return free();
    if (problem.kind === 'busy') {
      const timer = setTimeout(retry, Math.max(0, Date.parse(problem.until) - serverNow()));
      return () => clearTimeout(timer);
    }
    if (problem.kind !== 'offline') return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  });
  return (
    <>
      <OutOfOrder problem={problem}>
        <Button look="primary" onClick={retry}>
          {t.tryAgain}
        </Button>
        <Button onClick={free}>{t.cancel}</Button>
      </OutOfOrder>
      <StillThere left={left} />
    </>
  );
}
