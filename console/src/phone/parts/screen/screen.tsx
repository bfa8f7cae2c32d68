import { type ReactNode, type Ref, useId, useLayoutEffect, useRef } from 'react';
import { classes } from '../../../ui/layout/classes';
import style from './screen.module.css';

/**
 * A full screen. Its heading gets the focus when it appears, so that a screen reader starts there and reads the lead with it.
 */
export function Screen({
  title,
  lead,
  action,
  children,
}: {
  readonly title: string;
  /** Who asks, above the heading. */
  readonly lead?: ReactNode;
  /** A button next to the heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const leadId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the screen can be seen, so that Tab leads on from its heading.
  useLayoutEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <div className={style.screen}>
      {lead && (
        <div id={leadId} className={style.lead}>
          {lead}
        </div>
      )}
      <div className={classes(style.title, lead !== undefined && style.led)}>
        <h1 ref={heading} tabIndex={-1} aria-describedby={lead ? leadId : undefined}>
          {title}
        </h1>
        {action}
      </div>
      {children}
    </div>
  );
}

/** The choices at the end of a screen, where a thumb reaches them. The main one comes last. */
export const Actions = ({
  children,
  ref,
}: {
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}) => (
  <div ref={ref} className={style.choices}>
    {children}
  </div>
);
