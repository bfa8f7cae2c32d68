import type { MonthClosing, MonthState } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Badge } from '../../../ui/layout/surface';
import { Loaded } from '../../../ui/lists/loaded';
import { Time } from '../../../ui/lists/time';
import { MemberName } from '../../nouns/members/member-name';
import { useRights } from '../../nouns/members/rights';
import { PersonName } from '../../nouns/person/person-name';
import { CopyId } from '../../nouns/reference';
import { useSend } from '../../operations/send';
import { flagText } from '../parts/flag-texts';
import { nameOfDay, nameOfMonth } from '../parts/months';
import { PersonOf } from '../parts/person-of';
import { useMonthState } from '../parts/use-sheets';
import style from './month.module.css';

interface OfMonth {
  readonly siteId: string;
  readonly month: string;
}

/** The versions of a month that were closed, and what to look at before the next one. */
export function Closing({ siteId, month, isOver }: OfMonth & { readonly isOver: boolean }) {
  const { hours } = useRights();
  const [isClosing, setClosing] = useState(false);
  const query = useMonthState(siteId, month);
  const state = query.data;
  return (
    <Panel
      title="Closing"
      aside={
        hours &&
        isOver &&
        state && (
          <Button small onClick={() => setClosing(true)}>
            {state.closings.length === 0 ? 'Close the month …' : 'Close again …'}
          </Button>
        )
      }
    >
      <Loaded name="the closings" query={query}>
        {({ flags, closings }) => (
          <>
            <p>
              {closings.length === 0 &&
                (isOver ? 'This month is not closed. ' : 'This month can be closed when it is over. ')}
              {textOfFlags(flags.length)}
            </p>
            {closings.length > 0 && <Versions closings={closings} />}
          </>
        )}
      </Loaded>
      {isClosing && state && <CloseMonth {...{ siteId, month, state }} onClose={() => setClosing(false)} />}
    </Panel>
  );
}

const textOfFlags = (count: number): string =>
  count === 0 ? 'No flag is open.' : count === 1 ? '1 flag is open.' : `${count} flags are open.`;

const Versions = ({ closings }: { readonly closings: readonly MonthClosing[] }) => (
  <ol className={style.versions} reversed aria-label="Versions">
    {closings.map((closing) => (
      <Version key={closing.version} of={closing} />
    ))}
  </ol>
);

const Version = ({ of }: { readonly of: MonthClosing }) => (
  <li>
    <span>
      <strong>Version {of.version}</strong>, closed <Time at={of.closedAt} />{' '}
      {of.closedBy === null ? (
        'with an API key'
      ) : (
        <>
          by <MemberName id={of.closedBy} />
        </>
      )}
    </span>
    {of.version > 1 && (
      <span>
        {of.changed.length === 0 ? (
          'No sheet changed since the version before.'
        ) : (
          <>
            Changed since the version before:{' '}
            {of.changed.map((id, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <PersonOf id={id} />
              </span>
            ))}
            .
          </>
        )}
      </span>
    )}
    <small>
      {of.sheets === 1 ? '1 sheet' : `${of.sheets} sheets`}, root <CopyId of={of.root} name="root" />
    </small>
  </li>
);

/** Lists the open flags first. Who closes the month says how many they have seen. */
function CloseMonth({
  siteId,
  month,
  state: { flags },
  onClose,
}: OfMonth & { readonly state: MonthState; readonly onClose: () => void }) {
  const close = useSend('closeMonth', { done: `${nameOfMonth(month)} is closed`, onReloaded: onClose });
  return (
    <Dialog title={`Close ${nameOfMonth(month)}`} busy={close.isPending} onClose={onClose}>
      {flags.length > 0 && (
        <>
          <p>
            <Badge tone="warn">{textOfFlags(flags.length)}</Badge>
          </p>
          <ul className={style.flags} aria-label="Open flags">
            {flags.map(({ userId, name, date, code }) => (
              <li key={`${userId} ${date} ${code}`}>
                <span>
                  <strong>
                    <PersonName of={name} />
                  </strong>
                  , {nameOfDay(date)}
                </span>
                <small>{flagText(code)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        The audit log gets a seal of all sheets of this month. Hours can still be corrected, and the month
        closed again: that makes the next version, which says whose sheets changed.
      </p>
      {close.error && <Failure error={close.error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="primary"
          busy={close.isPending}
          onClick={() => close.mutate({ path: { month }, body: { siteId, openFlags: flags.length } })}
        >
          {flags.length === 0
            ? 'Close the month'
            : `Close with ${flags.length} open ${flags.length === 1 ? 'flag' : 'flags'}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
