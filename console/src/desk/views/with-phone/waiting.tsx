import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button, ButtonAnchor } from '../../../ui/forms/button';
import { classes } from '../../../ui/layout/classes';
import { Countdown } from '../../../ui/lists/time';
import { useTexts } from '../../language/language';
import style from './waiting.module.css';

/** How the wait for a phone is going, with the only countdown. Screen readers read changes, but not the time left. */
export function Status({
  isLost,
  until,
  children,
}: {
  readonly isLost: boolean;
  readonly until: string | undefined;
  readonly children: ReactNode;
}) {
  const t = useTexts();
  return (
    <div className={classes(style.status, isLost && style.lost)}>
      <span className={style.dot} aria-hidden="true" />
      <p role="status">{children}</p>
      {until !== undefined && !isLost && (
        <span className={style.left}>{t.expiresIn(<Countdown until={until} />)}</span>
      )}
    </div>
  );
}

/** No phone can reach such an address, so a tab of this browser can be the phone. */
const IS_LOOPBACK = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** A step with a phone: its title, the stage, and the way out. */
export function Waiting({
  title,
  code,
  onCancel,
  children,
}: {
  readonly title: string;
  /** Undefined while no phone can use it. */
  readonly code: string | undefined;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers then read the title, also when a phone has changed it. Before it can be seen, so that Tab leads on from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <div className={style.waiting}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <div className={style.actions}>
        {IS_LOOPBACK && code !== undefined && (
          <ButtonAnchor href={`/phone/#code=${encodeURIComponent(code)}`} target="_blank" rel="noopener">
            {t.openHere}
          </ButtonAnchor>
        )}
        <Button onClick={onCancel}>{t.cancel}</Button>
      </div>
    </div>
  );
}
