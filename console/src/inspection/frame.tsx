import { type ReactNode, useEffect, useId } from 'react';
import { Brand } from '../ui/brand/brand';
import { LANGUAGES, type Language } from '../ui/choose-language';
import style from './frame.module.css';
import { useSpoken } from './language/spoken';

const NAMES: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English', es: 'Español' };

/** The page around a scene, with the choice of its language. */
export function Frame({
  onLanguage,
  children,
}: {
  readonly onLanguage: (language: Language) => void;
  readonly children: ReactNode;
}) {
  const { language, texts: t } = useSpoken();
  const id = useId();
  useEffect(() => {
    document.title = t.title;
  }, [t]);
  return (
    <div className={style.frame}>
      <header className={style.bar}>
        <Brand />
        <label className="visually-hidden" htmlFor={id}>
          {t.language}
        </label>
        <select
          id={id}
          className={style.language}
          value={language}
          onChange={({ target }) => onLanguage(target.value as Language)}
        >
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {NAMES[each]}
            </option>
          ))}
        </select>
      </header>
      <main className={style.main}>{children}</main>
    </div>
  );
}
