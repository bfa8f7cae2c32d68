import { classes } from '../../ui/layout/classes';
import { Ago } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { locale, t } from '../language/strings';
import { nameOf } from '../parts/browser-name';
import { AccountName, Tile } from '../parts/company/company';
import { hostOf } from '../parts/host';
import type { HistoryEntry } from '../vault/history';
import style from './history.module.css';

const CLOCK = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** What was decided, with company, host, time and outcome. With `ago`, the time is relative. */
export const HistoryList = ({
  entries,
  ago = false,
  onOpen,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly ago?: boolean;
  /** Opens what the person decided on, if it was not a sign-in. */
  readonly onOpen: (entry: HistoryEntry) => void;
}) => (
  <ul className={style.list}>
    {entries.map((entry) => (
      <li key={entry.id}>
        <Tile account={entry} place="list" />
        <p className={style.company}>
          <AccountName account={entry} />
        </p>
        <p className={classes(style.outcome, style[entry.outcome])}>
          {(entry.statement ? t.approvals.history : t.history).results[entry.outcome]}
        </p>
        <p className={style.where}>
          {entry.statement ? (
            <Title of={entry} onOpen={() => onOpen(entry)} />
          ) : entry.origin ? (
            hostOf(entry.origin)
          ) : (
            entry.host
          )}
          {' · '}
          {ago ? <Ago at={entry.at} /> : <time dateTime={entry.at}>{CLOCK.format(new Date(entry.at))}</time>}
        </p>
        {entry.newBrowser && (
          <p className={style.where}>{t.nearby.beside(nameOf(entry.newBrowser) ?? t.nearby.aBrowser)}</p>
        )}
      </li>
    ))}
  </ul>
);

const Title = ({ of, onOpen }: { readonly of: HistoryEntry; readonly onOpen: () => void }) => {
  const title = of.statement?.action.title ?? '';
  return (
    <button
      type="button"
      className={style.open}
      aria-label={t.approvals.history.open(title)}
      onClick={onOpen}
    >
      <Text of={title} />
    </button>
  );
};
