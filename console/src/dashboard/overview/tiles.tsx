import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Sparkline } from '../../ui/charts/sparkline';
import { svc } from '../api';
import { monthName } from '../usage/months';
import { compareCalls, type Hour, successOf } from './calls';
import style from './overview.module.css';
import { useCalls, useTimesToVerify } from './use-calls';

const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const DAY = 24;

/** How much, how well, how fast, and how much of the plan. */
export function Tiles() {
  const { data: hours } = useCalls();
  return (
    <div className={style.tiles}>
      <Calls hours={hours} />
      <Success hours={hours} />
      <TimeToVerify />
      <Month />
    </div>
  );
}

function Tile({
  name,
  value,
  about,
  tone,
  children,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly about: ReactNode;
  readonly tone?: 'good' | 'bad' | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <section className={style.tile} aria-label={name}>
      <h2>{name}</h2>
      <p className={style.value}>{value}</p>
      <p className={style.about} data-tone={tone}>
        {about}
      </p>
      {children}
    </section>
  );
}

function Calls({ hours }: { readonly hours: readonly Hour[] | undefined }) {
  if (hours === undefined) return <Tile name="Calls, last 24 hours" value="–" about="" />;
  const { now, before } = compareCalls(hours, DAY);
  const change = before === 0 ? undefined : (now - before) / before;
  return (
    <Tile
      name="Calls, last 24 hours"
      value={NUMBER.format(now)}
      about={
        change === undefined
          ? 'None the day before'
          : `${arrow(change)} ${PERCENT.format(Math.abs(change))} on the day before`
      }
    >
      <Sparkline values={hours.slice(-DAY).map(({ succeeded, failed }) => succeeded + failed)} />
    </Tile>
  );
}

const arrow = (change: number): string => (change < 0 ? '↓' : '↑');

function Success({ hours = [] }: { readonly hours: readonly Hour[] | undefined }) {
  const now = successOf(hours.slice(-DAY));
  const before = successOf(hours.slice(-2 * DAY, -DAY));
  if (now === undefined) return <Tile name="Success rate" value="–" about="No calls in the last 24 hours" />;
  const points = before === undefined ? 0 : (now - before) * 100;
  const isWorse = points < -1;
  return (
    <Tile
      name="Success rate"
      value={PERCENT.format(now)}
      tone={isWorse ? 'bad' : undefined}
      about={
        Math.abs(points) < 0.1
          ? 'As the day before'
          : `${arrow(points)} ${Math.abs(points).toFixed(1)} points on the day before`
      }
    >
      <Sparkline
        values={hours.slice(-DAY).map((hour) => successOf([hour]) ?? null)}
        tone={isWorse ? 'bad' : undefined}
      />
    </Tile>
  );
}

function TimeToVerify() {
  const { data: days = [] } = useTimesToVerify();
  const last = days.findLast((time) => time !== null);
  return (
    <Tile
      name="Median time to verify"
      value={typeof last === 'number' ? `${NUMBER.format(last)} ms` : '–'}
      about={
        typeof last === 'number' ? 'In the service, without the network' : 'No proofs in the last 7 days'
      }
    >
      <Sparkline values={days} />
    </Tile>
  );
}

/** The calls of this month, as a share of the plan's quota. */
function Month() {
  const { data } = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => svc.console.getUsage({ signal }),
  });
  if (data === undefined) return <Tile name="Calls this month" value="–" about="" />;
  const { used, limit } = data.currentMonth;
  return (
    <Tile
      name={`Calls in ${monthName(data.history[0]?.month ?? '')}`}
      value={NUMBER.format(used)}
      about={
        <Link to="/account/usage">
          {limit === null ? 'No limit' : `${PERCENT.format(used / limit)} of ${NUMBER.format(limit)}`}
        </Link>
      }
    >
      {limit !== null && (
        <svg className={style.share} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Math.min(100, (used / limit) * 100)} height={4} />
        </svg>
      )}
    </Tile>
  );
}
