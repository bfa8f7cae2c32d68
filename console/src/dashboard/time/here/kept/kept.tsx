import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../../ui/forms/button';
import { Row } from '../../../../ui/layout/stack';
import { Notice, Page } from '../../../../ui/layout/surface';
import { t } from '../../language/strings';
import { zoned } from '../../parts/zoned';
import { ageText } from '../age';
import { Evacuation } from '../evacuation';
import style from './kept.module.css';
import type { KeptList } from './kept-lists';

const MINUTE_MS = 60_000;

/** A list that was kept, with how old it is. */
export function Kept({ list }: { readonly list: KeptList | undefined }) {
  return (
    <main className={style.main}>
      <div className={style.screen}>
        <Page
          title={t.here.title}
          actions={
            <Row>
              <Button onClick={() => location.reload()}>{t.here.tryAgain}</Button>
              {list && (
                <Button look="primary" onClick={() => print()}>
                  <Printer size={16} aria-hidden="true" />
                  {t.print}
                </Button>
              )}
            </Row>
          }
        >
          <Notice tone="warn">
            {list ? (
              <>
                <strong>
                  <Age of={list} />
                </strong>{' '}
                {t.here.kept}
              </>
            ) : (
              t.here.nothingKept
            )}
          </Notice>
        </Page>
      </div>
      {list && <Evacuation of={list.of} timeZone={list.timeZone} />}
    </main>
  );
}

function Age({ of: { of, timeZone, keptAt } }: { readonly of: KeptList }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 2);
    return () => clearInterval(timer);
  }, []);
  const time = zoned(timeZone, { hour: '2-digit', minute: '2-digit', weekday: 'long' })(of.at);
  return t.here.old(time, ageText(now - keptAt));
}
