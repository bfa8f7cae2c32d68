import * as Radix from '@radix-ui/react-tabs';
import { type ReactNode, useState } from 'react';
import style from './tabs.module.css';

/** Parts of a page of which one is shown. A part is rendered when it is first chosen. */
export function Tabs({
  label,
  tabs,
  initial = tabs[0]?.[0] ?? '',
}: {
  /** What the tabs are about, for screen readers. */
  readonly label: string;
  readonly tabs: readonly (readonly [name: string, content: ReactNode])[];
  /** The name of the part that is shown first. Default: the first. */
  readonly initial?: string | undefined;
}) {
  const [chosen, setChosen] = useState(initial);
  // The chosen part may be gone.
  const shown = tabs.some(([name]) => name === chosen) ? chosen : initial;
  return (
    <Radix.Root value={shown} onValueChange={setChosen}>
      <Radix.List className={style.tabs} aria-label={label}>
        {tabs.map(([name]) => (
          <Radix.Trigger key={name} value={name} className={style.tab}>
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(([name, content]) => (
        <Radix.Content key={name} value={name} className={style.content}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
