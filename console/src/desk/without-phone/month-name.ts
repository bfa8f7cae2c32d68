import { useContext } from 'react';
import { WordsContext } from '../../ui/words';

/** A month such as `2026-05` with its name. */
export function useMonthName(): (month: string) => string {
  const { locale } = useContext(WordsContext);
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (month) => format.format(new Date(`${month}-01`));
}

/** A day such as `2026-05-12` with the name of its weekday. */
export function useDay(): (date: string) => string {
  const { locale } = useContext(WordsContext);
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
  return (date) => format.format(new Date(date));
}
