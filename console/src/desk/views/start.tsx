import { Clock, ScanLine, UserPlus } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import style from './start.module.css';

/** The screen between two people. */
export function Start({
  company,
  onRegister,
  onSignIn,
  onClock,
}: {
  readonly company: string | undefined;
  readonly onRegister: () => void;
  readonly onSignIn: () => void;
  /** Undefined where nobody clocks in. */
  readonly onClock: (() => void) | undefined;
}) {
  const { start } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader says that the desk is back at its start.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={style.start}>
      <h1 ref={heading} tabIndex={-1}>
        {company ? start.titleAt(<Text of={company} />) : start.title}
      </h1>
      <div className={style.choices}>
        <button type="button" className={style.choice} onClick={onRegister}>
          <span className={style.icon}>
            <UserPlus aria-hidden="true" />
          </span>
          <strong>{start.register}</strong>
          <span>{start.registerAbout}</span>
        </button>
        <button type="button" className={style.choice} onClick={onSignIn}>
          <span className={style.icon}>
            <ScanLine aria-hidden="true" />
          </span>
          <strong>{start.signIn}</strong>
          <span>{start.signInAbout}</span>
        </button>
        {onClock && (
          <button type="button" className={style.choice} onClick={onClock}>
            <span className={style.icon}>
              <Clock aria-hidden="true" />
            </span>
            <strong>{start.clock}</strong>
            <span>{start.clockAbout}</span>
          </button>
        )}
      </div>
    </div>
  );
}
