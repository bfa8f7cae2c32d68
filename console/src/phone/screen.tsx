import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/forms/button';
import { Notice } from '../ui/layout/surface';
import style from './phone.module.css';

/** A full screen. Its heading gets the focus when it appears, so that a screen reader starts there. */
export function Screen({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <div className={style.screen}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

/** The choices at the end of a screen, where a thumb reaches them. The main one comes last. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className={style.choices}>{children}</div>
);

const BUZZ_MS = 30;

/** A full-screen tick: what was asked has been done. */
export function Success({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  // Browsers allow it only after the person touched the page. Some have none.
  useEffect(() => void navigator.vibrate?.(BUZZ_MS), []);
  return (
    <div className={style.success}>
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="56" />
        <path d="M38 62l15 15 30-31" pathLength={1} />
      </svg>
      <Screen title={title}>{children}</Screen>
      <Actions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </div>
  );
}

/** Shown when the database can't be read, temporarily, or always as in some private windows. */
export const NoStorage = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <Notice
    tone="bad"
    action={
      <Button small onClick={onRetry}>
        Try again
      </Button>
    }
  >
    <p>
      This page’s data in this browser could not be read. If this keeps happening, reload the page, or open it
      in a window that is not private.
    </p>
    <p>
      <small>{String(error)}</small>
    </p>
  </Notice>
);

export const Progress = ({
  steps,
  now,
}: {
  readonly steps: readonly (readonly [name: string, text: string])[];
  readonly now: string;
}) => {
  const at = steps.findIndex(([name]) => name === now);
  return (
    <>
      <progress className={style.progress} max={steps.length} value={at} aria-label="Progress" />
      <ol className={style.steps}>
        {steps.map(([name, text], index) => (
          <li
            key={name}
            data-state={index < at ? 'done' : index === at ? 'now' : 'next'}
            aria-current={index === at ? 'step' : undefined}
          >
            {text}
          </li>
        ))}
      </ol>
    </>
  );
};
