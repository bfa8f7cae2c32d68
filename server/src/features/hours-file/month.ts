import type { Read } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { optionsOf, rangeOf } from '../sheets/sheets.js';
import type { SiteRow } from '../sites/sites.js';

export interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** What a file is about. */
export interface HoursOf {
  readonly environment: Environment;
  readonly site: SiteRow;
  /** YYYY-MM */
  readonly month: string;
  /** Undefined: everybody. */
  readonly userId: string | undefined;
  readonly options: Awaited<ReturnType<typeof optionsOf>>;
  readonly range: { readonly month: Range; readonly around: Range };
  /** The months whose entries can be about events around the month, by any time zone. */
  readonly periods: ReadonlySet<string>;
}

export async function hoursOf(
  read: Read,
  of: Pick<HoursOf, 'environment' | 'site' | 'month' | 'userId'>,
): Promise<HoursOf> {
  const options = await optionsOf(read, of.site, of.month);
  const periods = new Set([-1, 0, 1].map((by) => monthAfter(of.month, by)));
  return { ...of, options, range: rangeOf(options), periods };
}

const monthAfter = (month: string, by: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
};

/** Whether a time is that of an event in the file. */
export const isAround = ({ range }: Pick<HoursOf, 'range'>, time: string): boolean => {
  const at = Date.parse(time);
  return range.around.from.getTime() <= at && at < range.around.to.getTime();
};
