import type { Operations } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { TimeOfDay } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';

import style from './staff.module.css';
import { Title } from './title';
import type { Ask } from './use-ask';

type Present = Operations['getPresenceAtDesk']['reply'];

/** Who has checked in and not out. */
export function Presence({ ask, onBack }: { readonly ask: Ask; readonly onBack: () => void }) {
  const { presence: t } = useStaffTexts().work;
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
      {found && <Title>{t.title(found.present)}</Title>}
      <ul className={style.choices}>
        {here.map(({ userId, userName, from }) => (
          <li key={userId} className={style.phone}>
            <strong>{userName === null ? t.unnamed : <Text of={userName} />}</strong>
            <span>{from === null ? t.earlier : t.since(<TimeOfDay at={from} />)}</span>
          </li>
        ))}
      </ul>
      {found && here.length < found.present && <p>{t.more(here.length)}</p>}
      <Button onClick={onBack}>{back}</Button>
    </>
  );
}
