import { classes } from '../../ui/layout/classes';
import { Ago } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { nameOf } from '../browsers/name';
import { AccountName, Tile } from '../company/company';
import { locale, t } from '../language/strings';
import { hostOf } from '../pair/asked';
import type { Approval } from './approvals';
import style from './history.module.css';

const CLOCK = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** Approvals with company, host, time and outcome. With `ago`, the time is relative. */
export const ApprovalList = ({
  approvals,
  ago = false,
  onOpen,
}: {
  readonly approvals: readonly Approval[];
  readonly ago?: boolean;
  /** Opens what the person decided on, if it was not a sign-in. */
  readonly onOpen: (approval: Approval) => void;
}) => (
  <ul className={style.list}>
    {approvals.map((approval) => (
      <li key={approval.id}>
        <Tile account={approval} place="list" />
        <p className={style.company}>
          <AccountName account={approval} />
        </p>
        <p className={classes(style.outcome, style[approval.outcome])}>
          {(approval.statement ? t.approvals.history : t.history).results[approval.outcome]}
        </p>
        <p className={style.where}>
          {approval.statement ? (
            <Title of={approval} onOpen={() => onOpen(approval)} />
          ) : approval.origin ? (
            hostOf(approval.origin)
          ) : (
            approval.host
          )}
          {' · '}
          {ago ? (
            <Ago at={approval.at} />
          ) : (
            <time dateTime={approval.at}>{CLOCK.format(new Date(approval.at))}</time>
          )}
        </p>
        {approval.newBrowser && (
          <p className={style.where}>{t.nearby.beside(nameOf(approval.newBrowser) ?? t.nearby.aBrowser)}</p>
        )}
      </li>
    ))}
  </ul>
);

const Title = ({ of, onOpen }: { readonly of: Approval; readonly onOpen: () => void }) => {
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
