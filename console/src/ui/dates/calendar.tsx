import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useContext, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../forms/button';
import { classes } from '../layout/classes';
import { WordsContext } from '../words';
import style from './calendar.module.css';
import { isSameDay, startOfDay, textOfDay } from './days';
import { dayAfterKey, firstWeekday, monthAfter, weeksOf } from './month';

interface Chosen {
  /** The first chosen day. */
  readonly from: Date | undefined;
  /** The last chosen day. */
  readonly to: Date | undefined;
  /** Earlier days can't be chosen. */
  readonly min?: Date | undefined;
}

/** The days of a month, of which one or a range is chosen. It has the keys that the ARIA practices give to a grid of days. */
export function Calendar({
  from,
  to,
  min,
  now,
  onChoose,
}: Chosen & { readonly now: Date; readonly onChoose: (day: Date) => void }) {
  const { locale } = useContext(WordsContext);
  const id = useId();
  const grid = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(startOfDay(to ?? from ?? now));
  const firstDay = firstWeekday(locale);
  const weeks = weeksOf(current, firstDay);
  const hasMoved = useRef(true);
  // Before the browser handles another key, which would go to the element that had the focus.
  useLayoutEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${textOfDay(current)}"]`)?.focus();
  }, [current]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = dayAfterKey(event.key, event.shiftKey, current, firstDay, isRightToLeft);
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setCurrent(next);
  };
  const turn = (months: number) => () => setCurrent(monthAfter(current, months));
  return (
    <div className={style.calendar}>
      <div className={style.head}>
        <Button look="quiet" small aria-label="Previous month" onClick={turn(-1)}>
          <ChevronLeft size={16} aria-hidden="true" />
        </Button>
        <strong id={id} aria-live="polite">
          {formatOf(locale, { month: 'long', year: 'numeric' }).format(current)}
        </strong>
        <Button look="quiet" small aria-label="Next month" onClick={turn(1)}>
          <ChevronRight size={16} aria-hidden="true" />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days is a grid in the ARIA practices */}
      <table ref={grid} role="grid" aria-labelledby={id} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} scope="col" abbr={formatOf(locale, { weekday: 'long' }).format(day)}>
                {formatOf(locale, { weekday: 'short' }).format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={textOfDay(week[0] as Date)}>
              {week.map((day) => (
                <Day
                  key={textOfDay(day)}
                  {...{ day, from, to, min, now }}
                  month={current.getMonth()}
                  isCurrent={isSameDay(day, current)}
                  label={formatOf(locale, { dateStyle: 'full' }).format(day)}
                  onChoose={() => {
                    hasMoved.current = true;
                    setCurrent(day);
                    onChoose(day);
                  }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const formatOf = (locale: string | undefined, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, options);

function Day({
  day,
  month,
  from,
  to,
  min,
  now,
  isCurrent,
  label,
  onChoose,
}: Chosen & {
  readonly day: Date;
  readonly month: number;
  readonly now: Date;
  /** Whether the keyboard is at this day. */
  readonly isCurrent: boolean;
  readonly label: string;
  readonly onChoose: () => void;
}) {
  const isEnd = [from, to].some((end) => end !== undefined && isSameDay(end, day));
  const isBetween = from !== undefined && to !== undefined && from < day && day < to;
  const isDisabled = min !== undefined && day < startOfDay(min);
  return (
    // biome-ignore lint/a11y: in a grid of days, the button of a cell has the focus
    <td role="gridcell" aria-selected={isEnd || isBetween}>
      <button
        type="button"
        className={classes(
          style.day,
          day.getMonth() !== month && style.outside,
          isEnd && style.end,
          isBetween && style.between,
        )}
        data-day={textOfDay(day)}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={label}
        aria-current={isSameDay(day, now) ? 'date' : undefined}
        aria-disabled={isDisabled || undefined}
        onClick={isDisabled ? undefined : onChoose}
      >
        {day.getDate()}
      </button>
    </td>
  );
}
