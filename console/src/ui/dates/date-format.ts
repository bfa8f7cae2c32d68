import { onFirstUse } from '../on-first-use';

/** Writes times in the language of the reader's browser, and in their time zone unless `options` name another. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (time: Date | number) => string {
  const format = onFirstUse(() => new Intl.DateTimeFormat(undefined, options));
  return (time) => format().format(time);
}
