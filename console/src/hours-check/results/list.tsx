import { Check, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Stack } from '../../ui/layout/stack';
import { Rows } from '../../ui/lists/rows';
import style from '../check.module.css';

const ICONS = { good: Check, bad: X, unknown: Minus } as const;

/** Things of one kind, each with its sign. What is false is left out. */
export function List({
  title,
  are,
  items,
}: {
  readonly title: string;
  readonly are: keyof typeof ICONS;
  readonly items: readonly ReactNode[];
}) {
  const Icon = ICONS[are];
  return (
    <Stack gap={1}>
      <h3 className={style.soft}>{title}</h3>
      <Rows className={style.list} aria-label={title}>
        {items.filter(Boolean).map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
          <li key={at} data-is={are}>
            <Icon size={16} aria-hidden="true" />
            <div>{item}</div>
          </li>
        ))}
      </Rows>
    </Stack>
  );
}
