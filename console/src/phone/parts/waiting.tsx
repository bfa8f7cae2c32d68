import type { ReactNode } from 'react';
import style from './waiting.module.css';

/** What the other phone has to do now. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <p className={style.waiting} role="status">
    <span className={style.spinner} aria-hidden="true" />
    {children}
  </p>
);
