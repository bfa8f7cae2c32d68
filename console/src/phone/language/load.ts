import type { Language } from '../../ui/choose-language';
import type { Strings } from './en';

/** Loads the texts of one language, because a phone needs no other. */
export const loadTexts: Readonly<Record<Language, () => Promise<Strings>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  es: async () => (await import('./es')).es,
};
