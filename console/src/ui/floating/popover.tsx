import * as Radix from '@radix-ui/react-popover';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { classes } from '../layout/classes';
import style from './popover.module.css';
import tip from './tip.module.css';

/**
 * What a button opens beside itself. It is not modal, because a modal one locks scrolling with an inline style. In a dialog it is
 * part of the dialog, which is above everything else.
 */
export function Popover({
  label,
  open,
  onOpenChange,
  trigger,
  className,
  children,
}: {
  readonly label: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button. */
  readonly trigger: ReactElement;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={button.current?.closest('dialog') ?? null}>
        <Radix.Content
          className={classes(tip.tip, style.popover, className)}
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
