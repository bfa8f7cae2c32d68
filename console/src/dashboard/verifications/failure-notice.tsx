import type { ReactNode } from 'react';
import { Notice } from '../../ui/layout/surface';
import style from './failure-notice.module.css';
import type { Failure } from './failures';

/** Why something failed, in one sentence, what to do, and where to do it. */
export const FailureNotice = ({
  of: { why, next },
  children,
}: {
  readonly of: Pick<Failure, 'why' | 'next'>;
  /** Links. */
  readonly children?: ReactNode;
}) => (
  <Notice
    tone="bad"
    action={
      <span className={style.links}>
        {children}
        <a href="/docs/verification#why-a-verification-failed">All reasons</a>
      </span>
    }
  >
    <p>
      <strong>{why}</strong>
    </p>
    <p>{next}</p>
  </Notice>
);
