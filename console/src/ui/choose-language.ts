/** In the order of their own names. */
export const LANGUAGES = ['de', 'en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export interface Chosen {
  readonly language: Language;
  /** A BCP 47 tag for dates and numbers, with the person's region if it is known. */
  readonly locale: string;
}

/** Chooses the first of the person's languages that the pages for everybody have. Default: English. */
export function chooseLanguage(preferred: readonly string[]): Chosen {
  for (const locale of preferred) {
    const wanted = locale.toLowerCase().split(/[-_]/)[0];
    const language = LANGUAGES.find((one) => one === wanted);
    if (language) return { language, locale };
  }
  return { language: 'en', locale: 'en' };
}
