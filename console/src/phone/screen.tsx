import type { LucideIcon } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/forms/button';
import { classes } from '../ui/layout/classes';
import { Notice } from '../ui/layout/surface';
import { t } from './language/strings';
import style from './phone.module.css';

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

/** What a person should know before deciding, one line each. */
export const Points = ({ children }: { readonly children: ReactNode }) => (
  <ul className={style.points}>{children}</ul>
);
export const Point = ({
  icon: Icon,
  children,
}: {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) => (
  <li>
    <Icon size={20} aria-hidden="true" />
    <p>{children}</p>
  </li>
);

const BUZZ_MS = 30;

/** A full-screen tick: what was asked has been done. */
export function Success({
  title,
  action,
  onAction,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly onAction: () => void;
  readonly children: ReactNode;
}) {
  // Browsers allow it only after the person touched the page. Some have none.
  useEffect(() => void navigator.vibrate?.(BUZZ_MS), []);
  return (
    <Full
      tone="good"
      title={title}
      picture={
        <svg className={style.tick} viewBox="0 0 120 120" aria-hidden="true">
          <circle cx="60" cy="60" r="56" />
          <path d="M38 62l15 15 30-31" pathLength={1} />
        </svg>
      }
      actions={
        <Button look="primary" onClick={onAction}>
          {action}
        </Button>
      }
    >
      {children}
    </Full>
  );
}

/** A full screen for another end than success, so that nobody takes it for one. */
export const Outcome = ({
  icon: Icon,
  ...rest
}: Omit<Parameters<typeof Full>[0], 'picture'> & { readonly icon: LucideIcon }) => (
  <Full picture={<Icon size={72} strokeWidth={1.5} aria-hidden="true" />} {...rest} />
);

const Full = ({
  tone,
  title,
  picture,
  actions,
  children,
}: {
  readonly tone: 'good' | 'bad' | 'calm';
  readonly title: string;
  readonly picture: ReactNode;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}) => (
  <div className={classes(style.full, style[tone])}>
    <div className={style.picture}>{picture}</div>
    <Screen title={title}>{children}</Screen>
    <Actions>{actions}</Actions>
  </div>
);

/** Shown when the database can't be read, temporarily, or always as in some private windows. */
export const NoStorage = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <Notice
    tone="bad"
    action={
      <Button small onClick={onRetry}>
        {t.tryAgain}
      </Button>
    }
  >
    <p>{t.noStorage}</p>
    <p>
      <small>{String(error)}</small>
    </p>
  </Notice>
);

/** One bar, three steps in words, and below them what happens now. The proof begins with the stage `loading`. */
export const Progress = ({
  first = t.steps.unlocking,
  steps,
  now,
}: {
  /** What comes before the proof. */
  readonly first?: string;
  readonly steps: readonly (readonly [name: string, text: string])[];
  readonly now: string;
}) => {
  const at = Math.max(
    0,
    steps.findIndex(([name]) => name === now),
  );
  const proof = steps.findIndex(([name]) => name === 'loading');
  const current = at < proof ? 0 : 1;
  return (
    <div className={style.progress}>
      <progress max={steps.length} value={at} aria-label={t.progress} />
      <ol>
        {[first, t.steps.proving, t.steps.done].map((text, index) => (
          <li
            key={text}
            data-state={index < current ? 'done' : index === current ? 'now' : 'next'}
            aria-current={index === current ? 'step' : undefined}
          >
            {text}
          </li>
        ))}
      </ol>
      <p role="status">{steps[at]?.[1]}</p>
    </div>
  );
};
