import { chooseLanguage } from '../../ui/choose-language';
import { de } from './de';
import { en, type Strings } from './en';
import { es } from './es';

export const { language, locale } = chooseLanguage(globalThis.navigator?.languages ?? []);

/** The texts of the sign-in pages in the person's language. */
export const t: Strings = { en, de, es }[language];

/** A name in a text that is no HTML, isolated so that its direction doesn't affect the text around it. */
export const isolate = (name: string): string => `\u2068${name}\u2069`;
