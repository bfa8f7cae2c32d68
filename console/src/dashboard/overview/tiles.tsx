import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Sparkline } from '../../ui/charts/sparkline';
import { Panel } from '../../ui/layout/panel';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import { useAccount } from '../session';
import { type Day, successOf, totalOf } from './days';
import style from './overview.module.css';

const NUMBER = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const WEEK = 7;
const NONE = '–';

/** How many verifications there were, and how many of them passed. */
export function Tiles({ days }: { readonly days: readonly Day[] | undefined }) {
  const environment = useEnvironment();
  const { data: account } = useAccount();
  const today = days?.at(-1);
  const before = days?.at(-2);
  const existed = account !== undefined && today !== undefined && account.tenant.createdAt < today.day;
  return (
    <div className={style.tiles}>
      <Tile
        name="Verifications today"
        value={today && NUMBER.format(totalOf([today]))}
        about={
          today &&
          beside(existed, before && totalOf([before]) > 0 ? NUMBER.format(totalOf([before])) : undefined)
        }
      >
        <Sparkline values={days?.map((day) => totalOf([day])) ?? []} />
      </Tile>
      <SuccessRate days={days} existed={existed} />
      <Tile
        name="Failed today"
        value={today && NUMBER.format(today.fail)}
        about={
          <Link to={pageIn(environment, 'verifications', { result: 'fail' })}>Show all that failed</Link>
        }
      >
        <Sparkline values={days?.map(({ fail }) => fail) ?? []} />
      </Tile>
      <LastWeek days={days} />
    </div>
  );
}

/** A figure of yesterday to compare today's with. */
const beside = (existed: boolean, figure: string | undefined): string =>
  existed ? (figure === undefined ? '' : `${figure} the day before`) : 'First day';

function Tile({
  name,
  value = NONE,
  about,
  tone,
  children,
}: {
  readonly name: string;
  readonly value?: string | undefined;
  readonly about: ReactNode;
  readonly tone?: 'bad' | undefined;
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

function SuccessRate({
  days = [],
  existed,
}: {
  readonly days: readonly Day[] | undefined;
  readonly existed: boolean;
}) {
  const [before, now] = days.slice(-2).map((day) => successOf([day]));
  const tone = before !== undefined && now !== undefined && before - now > 0.01 ? 'bad' : undefined;
  return (
    <Tile
      name="Success rate today"
      value={percent(now)}
      tone={tone}
      about={
        now === undefined
          ? days.length > 0 && 'None passed or failed'
          : beside(existed, before === undefined ? undefined : PERCENT.format(before))
      }
    >
      <Sparkline values={days.map((day) => successOf([day]) ?? null)} tone={tone} />
    </Tile>
  );
}

function LastWeek({ days }: { readonly days: readonly Day[] | undefined }) {
  const week = days?.slice(-WEEK);
  const rate = successOf(week ?? []);
  return (
    <Tile
      name="Last 7 days"
      value={week && NUMBER.format(totalOf(week))}
      about={
        week && (rate === undefined ? 'No verifications passed or failed' : `${PERCENT.format(rate)} passed`)
      }
    />
  );
}

const percent = (share: number | undefined): string => (share === undefined ? NONE : PERCENT.format(share));
