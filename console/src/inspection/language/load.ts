import type { Language } from '../../ui/choose-language';
import type { Texts } from './en';

/** A language, loaded with the texts of flags. */
export interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
  readonly flags: Readonly<Record<string, string>>;
}

const LOAD: Readonly<Record<Language, () => Promise<Omit<Spoken, 'language'>>>> = {
  async en() {
    const [{ en }, { FLAG_TEXTS }] = await Promise.all([
      import('./en'),
      import('@svc/zk/time/flag-texts/en'),
    ]);
    return { texts: en, flags: FLAG_TEXTS };
  },
  async de() {
    const [{ de }, { FLAG_TEXTS }] = await Promise.all([
      import('./de'),
      import('@svc/zk/time/flag-texts/de'),
    ]);
    return { texts: de, flags: FLAG_TEXTS };
  },
  async es() {
    const [{ es }, { FLAG_TEXTS }] = await Promise.all([
      import('./es'),
      import('@svc/zk/time/flag-texts/es'),
    ]);
    return { texts: es, flags: FLAG_TEXTS };
  },
};

/** Loads one language, because the reader needs no other. */
export const loadLanguage = async (language: Language): Promise<Spoken> => ({
  language,
  ...(await LOAD[language]()),
});

/** The language of those who inspect a site. */
export const languageOfSite = (country: string): Language =>
  country === 'DE' ? 'de' : country === 'ES' ? 'es' : 'en';
