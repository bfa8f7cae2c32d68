import { useContext } from 'react';
import { Link } from 'react-router';
import { dateFormat } from '../../../ui/dates/date-format';
import { classes } from '../../../ui/layout/classes';
import { Rows } from '../../../ui/lists/rows';
import { Ago, Clock } from '../../../ui/lists/time';
import { useEnvironment } from '../../operations/environment';
import { Pieces } from '../words/sentence';
import style from './days.module.css';
import type { Happening } from './item';

const DAY = dateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const TIME = dateFormat({ timeStyle: 'short' });
const FULL = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' });
const DAY_MS = 24 * 60 * 60 * 1000;

interface Day {
  readonly name: string;
  readonly items: readonly Happening[];
}

/** The days of the reader's time zone, newest first. */
function daysOf(items: readonly Happening[], now: number): readonly Day[] {
  const nameOf = (time: number) => DAY(time);
  const near = new Map([
    [nameOf(now - DAY_MS), 'Yesterday'],
    [nameOf(now), 'Today'],
  ]);
  const days = new Map<string, Happening[]>();
  for (const item of items) {
    const day = nameOf(Date.parse(item.at));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, of]) => ({ name: near.get(day) ?? day, items: of }));
}

/** What happened, day by day along one line. */
export function Days({
  items,
  name,
  heading: Heading = 'h2',
}: {
  readonly items: readonly Happening[];
  readonly name: string;
  /** The level of the headings of days. */
  readonly heading?: 'h2' | 'h3';
}) {
  const now = useContext(Clock);
  return (
    <section className={style.days} aria-label={name}>
      {daysOf(items, now()).map((day) => (
        <section key={day.name} className={style.day} aria-label={day.name}>
          <Heading>{day.name}</Heading>
          <Rows className={style.rows}>
            {day.items.map((item) => (
              <HappeningRow key={`${item.id} ${item.at}`} of={item} />
            ))}
          </Rows>
        </section>
      ))}
    </section>
  );
}

/** One sentence, which opens the record that it is about. Its time is that of a day that is named above it, or how long ago it was. */
export function HappeningRow({
  of: { at, icon: Icon, tone, pieces, reason, to },
  ago = false,
}: {
  readonly of: Happening;
  readonly ago?: boolean;
}) {
  const environment = useEnvironment();
  const text = <Pieces of={pieces} plain />;
  return (
    <li className={style.row}>
      <span className={classes(style.mark, tone !== 'plain' && style[tone])}>
        <Icon size={14} aria-hidden="true" />
      </span>
      <span className={style.text}>
        {to === undefined ? text : <Link to={to(environment)}>{text}</Link>}
        {reason !== undefined && (
          <span className={classes(style.reason, tone === 'bad' && style.why)}>{reason}</span>
        )}
      </span>
      {ago ? (
        <Ago at={at} />
      ) : (
        <time dateTime={at} title={FULL(new Date(at))}>
          {TIME(new Date(at))}
        </time>
      )}
    </li>
  );
}
