import type { HoursFinding } from '@svc/sdk/hours';
import type { ReactNode } from 'react';
import style from '../check.module.css';
import { useNumber, useSpoken } from '../language/spoken';
import type { Checked } from '../messages';
import { Code } from './code';
import type { PersonName } from './judged';
import { List } from './list';
import { useMoment } from './moment';

/** The others are for the command line. */
const MAX_SHOWN = 50;

/** What is wrong, one by one: whose, when, and what. */
export function Findings({
  of: { verdict, names, timeZone },
  person,
}: {
  readonly of: Checked;
  readonly person: PersonName;
}) {
  const { texts: t } = useSpoken();
  const number = useNumber();
  const moment = useMoment(timeZone);
  const { findings } = verdict;
  if (findings.length === 0) return null;
  const more = ('faults' in verdict ? verdict.faults : findings.length) - MAX_SHOWN;
  const items = findings.slice(0, MAX_SHOWN).map(({ code, line, about = {} }) => (
    <>
      <p>
        <strong>{whoOf(about, names, person) ?? (about.eventId ? t.nobody : t.site)}</strong>
        {about.at && <>, {moment(about.at)}</>}
      </p>
      <p>{t.findingTexts[code]}</p>
      <small className={style.soft}>
        <Code of={code} />
        {line !== undefined && <>, {t.line(number(line))}</>}
        {about.eventId && (
          <>
            , {t.event} <code>{about.eventId}</code>
          </>
        )}
      </small>
    </>
  ));
  return (
    <>
      <List title={t.findings} are="bad" items={items} />
      {more > 0 && <p className={style.soft}>{t.more(number(more))}</p>}
    </>
  );
}

const whoOf = (
  { userId }: NonNullable<HoursFinding['about']>,
  names: Checked['names'],
  person: PersonName,
): ReactNode => userId && person(userId, names.get(userId));
