import type { MonthClosing } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { CopyIcon } from '../../../ui/forms/copy';
import { Panel } from '../../../ui/layout/panel';
import { Inline } from '../../../ui/layout/stack';
import { Loaded } from '../../../ui/lists/loaded';
import { Time } from '../../../ui/lists/time';
import { Id } from '../../../ui/lists/value';
import { useRights } from '../../nouns/members/rights';
import { t } from '../language/strings';
import { Member, Person, PersonOf } from '../parts/person';
import { useMonthState, useSheets } from '../parts/use-sheets';
import { CloseMonth } from './close-month';
import style from './month.module.css';

/** People that a version names. */
const MAX_NAMES = 20;

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
  const { sheets = [] } = useSheets(siteId, month);
  const names = new Map(sheets.map(({ userId, name }) => [userId, name]));
  return (
    <Panel
      title={t.closing.title}
      aside={
        hours &&
        isOver &&
        state && (
          <Button small onClick={() => setClosing(true)}>
            {state.closings.length === 0 ? t.closing.close : t.closing.again}
          </Button>
        )
      }
    >
      <Loaded name={t.closing.what} query={query}>
        {({ flags, closings }) => (
          <>
            <p>
              {closings.length === 0 && `${isOver ? t.closing.notClosed : t.closing.notOver} `}
              {t.closing.flags(flags.length)}
            </p>
            {closings.length > 0 && <Versions closings={closings} names={names} />}
          </>
        )}
      </Loaded>
      {isClosing && state && <CloseMonth {...{ siteId, month, state }} onClose={() => setClosing(false)} />}
    </Panel>
  );
}

/** Names of people by ID. Those of further pages of sheets are not known. */
type Names = ReadonlyMap<string, string>;

const Versions = ({
  closings,
  names,
}: {
  readonly closings: readonly MonthClosing[];
  readonly names: Names;
}) => (
  <ol className={style.versions} reversed aria-label={t.closing.versions}>
    {closings.map((closing) => (
      <Version key={closing.version} of={closing} names={names} />
    ))}
  </ol>
);

const Version = ({ of, names }: { readonly of: MonthClosing; readonly names: Names }) => (
  <li>
    <span>
      <strong>{t.closing.version(of.version)}</strong>
      {of.closedBy === null
        ? t.closing.closedWithKey(<Time at={of.closedAt} />)
        : t.closing.closedBy(<Time at={of.closedAt} />, <Member id={of.closedBy} />)}
    </span>
    {of.version > 1 && (
      <span>
        {of.changed.length === 0
          ? t.closing.unchanged
          : t.closing.changed(<Changed ids={of.changed} names={names} />)}
      </span>
    )}
    <small>
      {t.closing.sheets(of.sheets)}
      <Inline>
        <Id of={of.root} short />
        <CopyIcon
          text={of.root}
          label={t.closing.copyRoot}
          results={{ copied: t.shared.copied, denied: t.shared.copyYourself }}
        />
      </Inline>
    </small>
  </li>
);

/** Most are on the page already. The others are asked for one by one, so they are few. */
const Changed = ({ ids, names }: { readonly ids: readonly string[]; readonly names: Names }) => (
  <>
    {ids.slice(0, MAX_NAMES).map((id, at) => {
      const name = names.get(id);
      return (
        <span key={id}>
          {at > 0 && ', '}
          {name === undefined ? <PersonOf id={id} /> : <Person name={name} />}
        </span>
      );
    })}
    {ids.length > MAX_NAMES && `, ${t.closing.others(ids.length - MAX_NAMES)}`}
  </>
);
