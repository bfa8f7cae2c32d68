import { createContext, useContext } from 'react';
import { chooseLanguage, LANGUAGES, type Language } from '../../ui/choose-language';
import { de } from './de';
import { en, type Strings } from './en';
import { es } from './es';

const STRINGS: Readonly<Record<Language, Strings>> = { en, de, es };

/** The device's. Each person begins with it. */
export const device = chooseLanguage(globalThis.navigator?.languages ?? []);

export const LanguageContext = createContext<Language>(device.language);

/** The texts in the language that the person has chosen. */
export const useTexts = (): Strings => STRINGS[useContext(LanguageContext)];

export const textsIn = (language: Language): Strings => STRINGS[language];

export const othersThan = (language: Language): readonly Language[] =>
  LANGUAGES.filter((one) => one !== language);

/** With the person's region, if that is known. */
export const localeOf = (language: Language): string =>
  language === device.language ? device.locale : language;
