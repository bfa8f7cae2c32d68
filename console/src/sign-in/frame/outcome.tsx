import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from '../../ui/layout/classes';
import style from './outcome.module.css';

/**
 * How something ended, and what to do next. `tone` is `good` for success, with a tick. With `focus`, which is for an end that the page
 * reaches while the person looks at it, the title gets the focus, so that screen readers read it.
 */
export function Outcome({
  tone,
  icon: Icon,
  title,
  focus = false,
  children,
}: {
  readonly tone: 'good' | 'bad' | 'calm';
  /** Default: a tick. */
  readonly icon?: LucideIcon;
  readonly title: ReactNode;
  readonly focus?: boolean;
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <div className={style.outcome}>
      <span className={classes(style.picture, style[tone])} aria-hidden="true">
        {Icon ? <Icon size={28} strokeWidth={1.75} /> : <Tick />}
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

const Tick = () => (
  <svg className={style.tick} viewBox="0 0 32 32" aria-hidden="true">
    <path d="M8 17l5.5 5.5L24 11" pathLength={1} />
  </svg>
);
