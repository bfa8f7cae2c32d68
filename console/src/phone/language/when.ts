import { locale } from './strings';

const FORMAT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** A date and time, where an element is not possible. */
export const whenText = (at: string): string => FORMAT.format(new Date(at));
