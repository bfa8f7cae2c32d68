import type { ComponentType } from 'react';
import { type Words, WordsContext } from '../../../ui/words';
import { messageOf } from './errors';
import style from './in-language.module.css';
import { errorTexts, language, loadTexts, locale, t } from './strings';

/** A page of the room in the reader’s language. It is made once its texts are loaded. The rest of the dashboard is in English. */
export async function inLanguage(make: () => ComponentType): Promise<ComponentType> {
  await loadTexts();
  const Page = make();
  const words: Words = { ...t.shared, locale, ...(errorTexts && { messageOf }) };
  return () => (
    <div className={style.page} lang={language}>
      <WordsContext value={words}>
        <Page />
      </WordsContext>
    </div>
  );
}
