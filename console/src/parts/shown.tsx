import type { ReactNode } from 'react';
import style from './parts.module.css';

/** A group of parts with its heading. */
export const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={style.group}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** A part in one state. */
export const Shown = ({ as, children }: { readonly as: string; readonly children: ReactNode }) => (
  <div className={style.shown}>
    <h3>{as}</h3>
    {children}
  </div>
);
