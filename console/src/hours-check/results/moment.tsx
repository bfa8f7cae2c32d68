import type { ReactNode } from 'react';
import { useSpoken } from '../language/spoken';

/** Shows times in the zone of the site. */
export function useMoment(timeZone: string | undefined): (at: string) => ReactNode {
  const { locale } = useSpoken();
  const format = formatIn(locale, timeZone);
  return (at) => {
    const date = new Date(at);
    return <time dateTime={at}>{Number.isNaN(date.getTime()) ? at : format.format(date)}</time>;
  };
}

/** A file can name a zone that this browser does not know. */
function formatIn(locale: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}
