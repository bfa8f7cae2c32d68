import * as Radix from '@radix-ui/react-dropdown-menu';
import { EllipsisVertical } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import tip from '../floating/tip.module.css';
import { classes } from '../layout/classes';
import { Button } from './button';
import style from './menu.module.css';

export interface MenuItem {
  readonly name: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

/** A menu of actions. It is not modal, because a modal menu locks scrolling with an inline style. */
export function Menu({
  label,
  items,
  children,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The button that opens it, as wide as the menu. Default: three dots, named by the label. */
  readonly children?: ReactElement;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger ref={trigger} asChild>
        {children ?? (
          <Button look="quiet" small aria-label={label}>
            <EllipsisVertical size={18} aria-hidden="true" />
          </Button>
        )}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classes(tip.tip, style.menu, children && style.wide)}
          align="end"
          sideOffset={4}
        >
          {items.map(({ name, danger, onSelect }) => (
            <Radix.Item
              key={name}
              className={classes(style.item, danger && style.danger)}
              onSelect={() => {
                // Before a dialog opens, because it restores the focus to the element that has it now.
                trigger.current?.focus();
                onSelect();
              }}
            >
              {name}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
