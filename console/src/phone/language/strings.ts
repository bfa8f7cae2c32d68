import { chooseLanguage } from '../../ui/choose-language';
import { de } from './de';
import { en, type Strings } from './en';

export const { language, locale } = chooseLanguage(globalThis.navigator?.languages ?? []);

/** The texts of the phone page in the person's language. */
export const t: Strings = { en, de }[language];
