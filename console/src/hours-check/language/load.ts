import type { Language } from '../../ui/choose-language';
import type { CheckTexts } from './en';
import type { Spoken } from './spoken';

const LOAD: Readonly<Record<Language, () => Promise<CheckTexts>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  es: async () => (await import('./es')).es,
};

/** Loads one language, because the reader needs no other. `locale` is a BCP 47 tag for dates and numbers. */
export const loadSpoken = async (language: Language, locale: string): Promise<Spoken> => ({
  locale,
  texts: await LOAD[language](),
});
