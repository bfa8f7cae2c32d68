import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classes } from '../../../ui/layout/classes';
import style from './outcome.module.css';

/** How something ended, in a large picture, and what to do next. */
export function Outcome({
  tone,
  icon,
  title,
  text,
  children,
}: {
  readonly tone: 'good' | 'bad' | 'calm';
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers then read the title.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={style.outcome}>
      <span className={classes(style.picture, style[tone])} aria-hidden="true">
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {text && <p>{text}</p>}
      {children && <div className={style.actions}>{children}</div>}
    </div>
  );
}

export const Tick = () => (
  <svg className={style.tick} viewBox="0 0 32 32" aria-hidden="true">
    <path d="M8 17l5.5 5.5L24 11" pathLength={1} />
  </svg>
);
