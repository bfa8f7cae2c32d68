import { useContext, useMemo } from 'react';
import { WordsContext } from '../../ui/words';

/** A time of day, as a clock on a wall shows it. */
export function useClockTime(timeZone: string | undefined): (at: number | string) => string {
  const { locale } = useContext(WordsContext);
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, {
      ...{ hour: '2-digit', minute: '2-digit' },
      ...(timeZone !== undefined && { timeZone }),
    });
    return (at) => format.format(new Date(at));
  }, [locale, timeZone]);
}

/** A day with its name, such as `Tuesday 12 May`. */
export function useDayName(timeZone: string | undefined): (at: number | string) => string {
  const { locale } = useContext(WordsContext);
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, {
      ...{ weekday: 'long', day: 'numeric', month: 'long' },
      ...(timeZone !== undefined && { timeZone }),
    });
    return (at) => format.format(new Date(at));
  }, [locale, timeZone]);
}
