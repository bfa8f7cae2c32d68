import { chooseLanguage } from '../../ui/choose-language';
import type { Strings } from './en';

export const { language, locale } = chooseLanguage(globalThis.navigator?.languages ?? []);

/** The texts of the phone page in the person's language. Only functions can read it, because it is set when the page opens. */
export let t: Strings;

export function speak(texts: Strings): void {
  t = texts;
}
