import type { Stage } from '@svc/sdk/phone';
import { t } from '../../language/strings';
import style from './screen.module.css';

/** The step to show in a stage. Waiting for a network is none in any list, so show the sending step instead. */
export const stepOf = (stage: Stage | undefined, first: Stage = 'unlocking'): Stage =>
  stage === undefined ? first : stage === 'waiting' ? 'sending' : stage;

/** One bar, three steps in words, and below them what happens now. The proof begins with the stage `loading`. */
export const Progress = ({
  first = t.steps.unlocking,
  steps,
  now,
}: {
  /** What comes before the proof. */
  readonly first?: string;
  readonly steps: readonly (readonly [name: string, text: string])[];
  readonly now: string;
}) => {
  const at = Math.max(
    0,
    steps.findIndex(([name]) => name === now),
  );
  const proof = steps.findIndex(([name]) => name === 'loading');
  const current = at < proof ? 0 : 1;
  return (
    <div className={style.progress}>
      <progress max={steps.length} value={at} aria-label={t.progress} />
      <ol>
        {[first, t.steps.proving, t.steps.done].map((text, index) => (
          <li
            key={text}
            data-state={index < current ? 'done' : index === current ? 'now' : 'next'}
            aria-current={index === current ? 'step' : undefined}
          >
            {text}
          </li>
        ))}
      </ol>
      <p role="status">{steps[at]?.[1]}</p>
    </div>
  );
};
