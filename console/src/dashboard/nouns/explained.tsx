import type { ReactNode } from 'react';
import { Notice, type Tone } from '../../ui/layout/surface';
import style from './explained.module.css';

/** What happened, in one sentence, what to do, and where to do it. */
export const Explained = ({
  tone = 'bad',
  what,
  next,
  action,
  children,
}: {
  readonly tone?: Tone;
  readonly what: ReactNode;
  readonly next?: ReactNode;
  /** A button. */
  readonly action?: ReactNode;
  /** Links. */
  readonly children?: ReactNode;
}) => (
  <Notice
    tone={tone}
    action={
      (action || children) && (
        <span className={style.actions} data-tone={tone}>
          {action}
          {children}
        </span>
      )
    }
  >
    <p>
      <strong>{what}</strong>
    </p>
    {next && <p>{next}</p>}
  </Notice>
);
