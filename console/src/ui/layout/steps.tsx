import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import style from './steps.module.css';

export interface Step {
  readonly name: string;
  readonly about: ReactNode;
  readonly state: 'done' | 'current' | 'ahead';
  readonly action?: ReactNode;
}

const SPOKEN = { done: 'done', current: 'current', ahead: 'not started' } as const;

export const Steps = ({
  label,
  steps,
  isWide = false,
}: {
  readonly label: string;
  readonly steps: readonly Step[];
  /** Actions stand at the end of the line where there is room. */
  readonly isWide?: boolean;
}) => (
  <ol className={style.steps} data-wide={isWide} aria-label={label}>
    {steps.map(({ name, about, state, action }, at) => (
      <li key={name} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
        <span className={style.mark} aria-hidden="true">
          {state === 'done' ? <Check size={16} /> : at + 1}
        </span>
        <div className={style.content}>
          <div>
            <strong>{name}</strong>
            <span className="visually-hidden">: {SPOKEN[state]}</span>
            <div className={style.about}>{about}</div>
          </div>
          {action}
        </div>
      </li>
    ))}
  </ol>
);
