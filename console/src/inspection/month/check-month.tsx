import { useEffect, useState } from 'react';
import { CheckPanel, type OpenFile } from '../../hours-check/check-panel';
import { loadSpoken } from '../../hours-check/language/load';
import type { Spoken } from '../../hours-check/language/spoken';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useSpoken } from '../language/spoken';
import { faultOf, type InspectionService } from '../service';
import { LOCALES } from './dates';
import style from './month.module.css';
import { Name } from './name';

/** Checks the file of the month in the inspector’s browser, so that they install nothing. */
export function CheckMonth({
  service,
  month,
  onEnded,
}: {
  readonly service: InspectionService;
  readonly month: string;
  readonly onEnded: () => void;
}) {
  const { language, texts } = useSpoken();
  const [spoken, setSpoken] = useState<Spoken>();
  useEffect(() => {
    let isLast = true;
    void loadSpoken(language, LOCALES[language]).then((loaded) => isLast && setSpoken(loaded));
    return () => {
      isLast = false;
    };
  }, [language]);
  if (spoken === undefined) return null;
  const open: OpenFile = async (from, signal) => {
    try {
      const { body } = await service.open(month, 'svc-hours', { signal, ...(from && { from }) });
      return body as ReadableStream<Uint8Array>;
    } catch (error) {
      // With a tree that was kept, it asks again without.
      if (from === undefined && faultOf(error) === 'refused') onEnded();
      throw error;
    }
  };
  return (
    <div className={style.screen}>
      <CheckPanel
        spoken={spoken}
        // Another inspection loads the page again.
        log="of the inspection"
        open={open}
        failure={(error, onRetry) => (
          <Notice tone="bad" action={<Button onClick={onRetry}>{texts.shared.tryAgain}</Button>}>
            {texts.faults[faultOf(error)]}
          </Notice>
        )}
        person={(userId, name) => (name === undefined ? <code>{userId}</code> : <Name of={name} />)}
      />
    </div>
  );
}
