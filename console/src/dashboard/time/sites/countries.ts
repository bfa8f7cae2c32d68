import { onFirstUse } from '../../../ui/on-first-use';
import { locale } from '../language/strings';

/** Codes that the browser names although they are no country. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const names = onFirstUse(() => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }));

/** The countries that the browser knows, by code and by name. */
export const countries = onFirstUse((): readonly (readonly [code: string, name: string])[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRY.has(code))
    .flatMap((code) => {
      const name = names().of(code);
      return name === undefined ? [] : [[code, name] as const];
    })
    .sort(([, left], [, right]) => left.localeCompare(right, locale)),
);

export const countryName = (code: string): string => names().of(code) ?? code;

/** The country and the time zone of this browser, as a proposal for a site. */
export const here = () => ({
  country: new Intl.Locale(navigator.language).maximize().region ?? '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
