import { ChevronRight, Inbox as InboxIcon } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Badge, Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { t } from '../language/strings';
import { Tile } from '../parts/company/company';
import choices from '../parts/lists/choices.module.css';
import { Sending } from '../parts/screen/sending';
import { TimeLeft } from '../parts/time-left';
import type { Identity } from '../vault/identities';
import { amountFirst } from './amount-first';
import { useInbox } from './inbox';
import style from './inbox.module.css';
import type { Inbox } from './read-inbox';
import type { Waiting } from './waiting';

/** What waits for this phone's people. It is read only after a press, because reading it needs a proof of each identity. */
export function InboxCard({
  identities,
  onOpen,
}: {
  readonly identities: readonly Identity[];
  readonly onOpen: (waiting: Waiting) => void;
}) {
  const { inbox, isStale, opening } = useInbox();
  const check = () => opening.mutate(identities);
  if (opening.isPending) return <Sending stage={opening.stage} />;
  if (opening.error && !inbox) return <Failure error={opening.error} onRetry={check} />;
  if (!inbox)
    return (
      <div className={choices.choices}>
        <button type="button" className={choices.choice} onClick={check}>
          <InboxIcon size={22} aria-hidden="true" />
          <span>
            <strong>{t.approvals.inbox.check}</strong>
            <span className={choices.about}>{t.approvals.inbox.checkAbout}</span>
          </span>
          <ChevronRight size={20} aria-hidden="true" />
        </button>
      </div>
    );
  return <Opened inbox={inbox} isStale={isStale} onRetry={check} onOpen={onOpen} />;
}

function Opened({
  inbox: { waiting, unreadable, error },
  isStale,
  onRetry,
  onOpen,
}: {
  readonly inbox: Inbox;
  readonly isStale: boolean;
  readonly onRetry: () => void;
  readonly onOpen: (waiting: Waiting) => void;
}) {
  return (
    <section className={style.inbox}>
      <div className={style.head}>
        <h2>{t.approvals.inbox.title}</h2>
        {waiting.length > 0 && (
          <span aria-hidden="true">
            <Badge tone="warn">{waiting.length}</Badge>
          </span>
        )}
      </div>
      <p className={waiting.length > 0 ? 'visually-hidden' : style.empty} role="status">
        {waiting.length > 0 ? t.approvals.inbox.count(waiting.length) : t.approvals.inbox.empty}
      </p>
      {waiting.length > 0 && (
        <ul className={choices.choices}>
          {waiting.map((each) => (
            <Row key={each.statement.approvalId} waiting={each} onOpen={() => onOpen(each)} />
          ))}
        </ul>
      )}
      {unreadable > 0 && <Notice tone="bad">{t.approvals.inbox.unreadable}</Notice>}
      {isStale && <Notice tone="warn">{t.approvals.inbox.stale}</Notice>}
      {error !== undefined && <Failure error={error} onRetry={onRetry} />}
    </section>
  );
}

/** What distinguishes requests with the same title. The screen of each has all of it. */
const FIELDS = 2;

const Row = ({ waiting, onOpen }: { readonly waiting: Waiting; readonly onOpen: () => void }) => {
  const { identity, statement } = waiting;
  const { company, action, expiresAt } = statement;
  return (
    <li>
      <button type="button" className={choices.choice} onClick={onOpen}>
        <Tile account={{ ...identity, companyName: company }} place="list" />
        <span className={style.row}>
          <span className={choices.about}>
            <Text of={company} />
          </span>
          <strong>
            <Text of={action.title} />
          </strong>
          {amountFirst(action.fields)
            .slice(0, FIELDS)
            .map(({ label, value }) => (
              <span key={`${label}: ${value}`} className={style.field}>
                <Text of={`${label}: ${value}`} />
              </span>
            ))}
          <span className={choices.about}>
            <TimeLeft until={expiresAt} />
          </span>
        </span>
        <ChevronRight size={20} aria-hidden="true" />
      </button>
    </li>
  );
};
