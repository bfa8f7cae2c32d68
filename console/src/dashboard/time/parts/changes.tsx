import type { Correction } from '@svc/sdk';
import { ArrowRight } from 'lucide-react';
import { Absent } from '../../../ui/lists/value';
import { t } from '../language/strings';
import { actOf } from './acts';
import style from './changes.module.css';
import { zoned } from './zoned';

type Changed = Correction['changes'][number];

/** What a correction changes: the day, the event as it is, and as it would be, in the time of the site. */
export function Changes({ of, timeZone }: { readonly of: readonly Changed[]; readonly timeZone: string }) {
  const day = zoned(timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const time = zoned(timeZone, { hour: '2-digit', minute: '2-digit' });
  const textOf = (event: Changed['old'] | Changed['new'], dayBefore?: string) => {
    if (event === null) return undefined;
    const own = day(event.occurredAt);
    return `${t.acts[actOf(event)]} ${time(event.occurredAt)}${dayBefore !== undefined && own !== dayBefore ? `, ${own}` : ''}`;
  };
  return (
    <ul className={style.changes} aria-label={t.changes.label}>
      {of.map(({ old, new: next }, at) => {
        const on = day((old ?? next)?.occurredAt ?? '');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a correction never changes
          <li key={at}>
            <span className={style.day}>{on}</span>
            <span className={style.old}>{textOf(old) ?? <Absent text={t.changes.nothing} />}</span>
            <ArrowRight size={14} aria-label={t.changes.becomes} />
            <strong>{textOf(next, on) ?? <Absent text={t.changes.nothing} />}</strong>
          </li>
        );
      })}
    </ul>
  );
}
