import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../../ui/forms/button';
import { classes } from '../../../ui/layout/classes';
import { Actions, Screen } from './screen';
import style from './screen.module.css';

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
