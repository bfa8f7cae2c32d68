import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes';
import style from './panel.module.css';

/** A part of a page with a border: for text and fields, or flush for a list, code or what has its own margins. */
export const Panel = ({
  flush = false,
  title,
  aside,
  bar,
  className,
  children,
  ...rest
}: Omit<ComponentProps<'section'>, 'title'> & {
  readonly flush?: boolean;
  readonly title?: string | undefined;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** A line above the content, instead of a title. */
  readonly bar?: ReactNode;
}) => (
  <section className={classes(style.panel, flush ? style.flush : style.padded, className)} {...rest}>
    {title !== undefined && aside === undefined && !flush && <h2>{title}</h2>}
    {title !== undefined && (aside !== undefined || flush) && (
      <header className={style.head}>
        <h2>{title}</h2>
        {aside}
      </header>
    )}
    {bar && <header className={style.bar}>{bar}</header>}
    {children}
  </section>
);
