import { chooseLanguage, type Language } from '../../../ui/choose-language';
import type { TimeTexts } from './en';
import type { ErrorTexts } from './error-texts';

export const { language, locale } = chooseLanguage(globalThis.navigator?.languages ?? []);

interface Spoken {
  readonly texts: TimeTexts;
  /** Undefined in the language of the service’s own messages. */
  readonly errors: ErrorTexts | undefined;
  readonly flags: Readonly<Record<string, string>>;
}

/** Loads one language, because the others are not needed. */
const LOAD: Readonly<Record<Language, () => Promise<Spoken>>> = {
  en: async () => {
    const [{ en }, { FLAG_TEXTS }] = await Promise.all([
      import('./en'),
      import('@svc/zk/time/flag-texts/en'),
    ]);
    return { texts: en, errors: undefined, flags: FLAG_TEXTS };
  },
  de: async () => {
    const [{ de, errors }, { FLAG_TEXTS }] = await Promise.all([
      import('./de'),
      import('@svc/zk/time/flag-texts/de'),
    ]);
    return { texts: de, errors, flags: FLAG_TEXTS };
  },
  es: async () => {
    const [{ es, errors }, { FLAG_TEXTS }] = await Promise.all([
      import('./es'),
      import('@svc/zk/time/flag-texts/es'),
    ]);
    return { texts: es, errors, flags: FLAG_TEXTS };
  },
};

/** The texts of the room in the reader’s language. Only functions can read them, because they are set when a page opens. */
export let t: TimeTexts;
export let errorTexts: ErrorTexts | undefined;
let flagTexts: Spoken['flags'];

export async function loadTexts(): Promise<void> {
  ({ texts: t, errors: errorTexts, flags: flagTexts } = await LOAD[language]());
}

/** What a flag means. A newer service may have flags that this page does not know. */
export const flagText = (code: string): string => flagTexts[code] ?? code;
