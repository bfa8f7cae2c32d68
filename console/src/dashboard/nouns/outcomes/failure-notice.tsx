import type { ReactNode } from 'react';
import { Explained } from '../explained';
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
  <Explained what={why} next={next}>
    {children}
    <a href="/docs/verification#why-a-verification-failed">All reasons</a>
  </Explained>
);
