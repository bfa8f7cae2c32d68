import type { Operations } from '@svc/sdk';
import { useContext, useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { serverNow } from '../../ui/server-time';
import { WordsContext } from '../../ui/words';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';

import { dayAndTime } from './day-and-time';
import style from './staff.module.css';
import { Title } from './title';
import type { Ask } from './use-ask';

type Present = Operations['getPresenceAtDesk']['reply'];

/** Who has checked in and not out. */
export function Presence({ ask, onBack }: { readonly ask: Ask; readonly onBack: () => void }) {
  const { presence: t, home } = useStaffTexts().work;
  const { locale } = useContext(WordsContext);
  const { back } = useTexts();
  const [found, setFound] = useState<Present>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when it is opened
  useEffect(() => {
    void ask((staff) => staff.presence()).then(setFound);
  }, []);
  const here = (found?.people ?? []).flatMap(({ userId, userName, stays }) => {
    const stay = stays.find(({ to }) => to === null);
    return stay ? [{ userId, userName, from: stay.from }] : [];
  });
  return (
    <>
      <Title>{found ? t.title(found.present) : home.presence}</Title>
      <ul className={style.choices} aria-label={home.presence}>
        {here.map(({ userId, userName, from }) => (
          <li key={userId} className={style.phone}>
            <strong>{userName === null ? t.unnamed : <Text of={userName} />}</strong>
            {from !== null && <span>{t.since(dayAndTime(Date.parse(from), serverNow(), locale))}</span>}
          </li>
        ))}
      </ul>
      {found && here.length < found.present && <p>{t.more(here.length)}</p>}
      <Button onClick={onBack}>{back}</Button>
    </>
  );
}
