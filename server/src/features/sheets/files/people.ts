import type { Sheet } from '@svc/zk/time/sheet';

/** A person with the hours of the month. */
export interface PersonSheet {
  readonly userId: string;
  readonly name: string;
  /** The person's number in payroll. */
  readonly employeeCode: string | null;
  readonly sheet: Sheet;
}

/** What the files of a month are about. `month` is YYYY-MM, `timeZone` a name of the IANA database. */
export interface SitePeriod {
  readonly site: { readonly name: string; readonly timeZone: string };
  readonly company: string;
  readonly month: string;
}

/** In the order of the file. They may be read while the file is written. */
export type People = Iterable<PersonSheet> | AsyncIterable<PersonSheet>;

/**
 * The person's sheet, if it belongs in the file.
 * @throws RangeError if it is of another month or time zone
 */
export function sheetIn({ site, month }: SitePeriod, { userId, sheet }: PersonSheet): Sheet {
  if (sheet.month !== month || sheet.zone !== site.timeZone)
    throw new RangeError(
      `the sheet of ${userId} is of ${sheet.month} in ${sheet.zone}, not of ${month} in ${site.timeZone}`,
    );
  return sheet;
}
