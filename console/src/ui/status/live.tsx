import type { ReactNode } from 'react';
import style from './live.module.css';

/** Says whether new records appear by themselves. */
export const Live = ({
  isConnected,
  children,
}: {
  readonly isConnected: boolean;
  readonly children: ReactNode;
}) => (
  <p className={style.live} data-connected={isConnected} role="status">
    {children}
  </p>
);
