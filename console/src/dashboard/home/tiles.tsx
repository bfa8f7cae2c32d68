import type { Operations } from '@svc/sdk';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Sparkline } from '../../ui/charts/sparkline';
import { Panel } from '../../ui/layout/panel';
import { formatNumber, formatPercent } from '../../ui/numbers';
import { useAccount } from '../operations/account';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';
import { type Day, successOf, totalOf } from './charts/days';
import style from './home.module.css';

const NONE = '–';

type Today = Operations['consoleGetOverview']['reply']['today'];

/** The people of today, and how their verifications ended. */
export const Tiles = memo(function Tiles({
  today,
  days,
}: {
  readonly today: Today | undefined;
  readonly days: readonly Day[] | undefined;
}) {
  const environment = useEnvironment();
  const { data: account } = useAccount();
  const last = days?.at(-1);
  const existed = account !== undefined && last !== undefined && account.tenant.createdAt < last.day;
  return (
    <div className={style.tiles}>
      <Tile
        name="Signed in today"
        value={figure(today?.signedIn)}
        about={
          <Link to={pageIn(environment, 'verifications')}>
            {last ? countOf(totalOf([last]), 'verification') : 'Show verifications'}
          </Link>
        }
      >
        {days && totalOf(days) > 0 && <Sparkline values={days.map((day) => totalOf([day]))} />}
      </Tile>
      <Tile
        name="Registered today"
        value={figure(today?.registered)}
        about={<Link to={pageIn(environment, 'registrations')}>Show registrations</Link>}
      />
      <Tile
        name="New people today"
        value={figure(today?.added)}
        about={<Link to={pageIn(environment, 'users')}>Show people</Link>}
      />
      <SuccessRate days={days} existed={existed} />
    </div>
  );
});

const figure = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));

const countOf = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A figure of yesterday to compare today's with. */
const beside = (existed: boolean, of: string | undefined): string =>
  existed ? (of === undefined ? '' : `${of} the day before`) : 'First day';

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
      value={now === undefined ? NONE : formatPercent(now)}
      tone={tone}
      about={
        now === undefined
          ? days.length > 0 && 'None passed or failed'
          : beside(existed, before === undefined ? undefined : formatPercent(before))
      }
    >
      <Sparkline values={days.map((day) => successOf([day]) ?? null)} tone={tone} />
    </Tile>
  );
}
