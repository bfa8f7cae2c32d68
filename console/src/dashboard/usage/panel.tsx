import type { ReactNode } from 'react';
import style from './usage.module.css';

/** A part of the page with its title and, beside it, what belongs to the whole part. */
export const Panel = ({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className={style.panel} aria-label={title}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);
