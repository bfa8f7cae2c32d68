import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Sparkline } from '../../ui/charts/sparkline';
import { Panel } from '../../ui/layout/panel';
import { svc } from '../api';
import { accountPage } from '../paths';
import { monthName } from '../usage/months/months';
import { type Day, type Hour, successOf } from './calls';
import style from './overview.module.css';
import { useCalls, useVerifications } from './use-calls';

const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const DAY = 24;
const WEEK = 7;

/** How much, how well, how fast, and how much of the plan. */
export function Tiles() {
  const { data: hours } = useCalls();
  const { data: days } = useVerifications();
  return (
    <div className={style.tiles}>
      <Verifications days={days} />
      <Success hours={hours} />
      <TimeToVerify days={days} />
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
    <Panel flush className={style.tile} aria-label={name}>
      <h2>{name}</h2>
      <p className={style.value}>{value}</p>
      <p className={style.about} data-tone={tone}>
        {about}
      </p>
      {children}
    </Panel>
  );
}

function Verifications({ days }: { readonly days: readonly Day[] | undefined }) {
  if (days === undefined) return <Tile name="Verifications today" value="–" about="" />;
  const counts = days.map(({ count }) => count);
  const week = sum(counts.slice(-WEEK));
  const before = sum(counts.slice(-2 * WEEK, -WEEK));
  const change = before === 0 ? undefined : (week - before) / before;
  return (
    <Tile
      name="Verifications today"
      value={NUMBER.format(counts.at(-1) ?? 0)}
      about={
        change === undefined
          ? `${NUMBER.format(week)} in the last 7 days`
          : `${arrow(change)} ${PERCENT.format(Math.abs(change))} from the week before`
      }
    >
      <Sparkline values={counts} />
    </Tile>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
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
          ? 'Same as the day before'
          : `${arrow(points)} ${Math.abs(points).toFixed(1)} points from the day before`
      }
    >
      <Sparkline
        values={hours.slice(-DAY).map((hour) => successOf([hour]) ?? null)}
        tone={isWorse ? 'bad' : undefined}
      />
    </Tile>
  );
}

function TimeToVerify({ days = [] }: { readonly days: readonly Day[] | undefined }) {
  const times = days.slice(-WEEK).map(({ time }) => time);
  const last = times.findLast((time) => time !== null);
  return (
    <Tile
      name="Median time to verify"
      value={typeof last === 'number' ? `${NUMBER.format(last)} ms` : '–'}
      about={
        typeof last === 'number' ? 'In the service, without the network' : 'No proofs in the last 7 days'
      }
    >
      <Sparkline values={times} />
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
        <Link to={accountPage('usage')}>
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
