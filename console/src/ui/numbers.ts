import { onFirstUse } from './on-first-use';

function numberFormat(options?: Intl.NumberFormatOptions): (value: number) => string {
  const format = onFirstUse(() => new Intl.NumberFormat(undefined, options));
  return (value) => format().format(value);
}

/** A number as the reader's browser writes it, like 1,500. */
export const formatNumber = numberFormat();

/** A share of 1 in per cent, with at most one decimal. */
export const formatPercent = numberFormat({ style: 'percent', maximumFractionDigits: 1 });

/** A number in few letters, like 1.5K. */
export const formatCompact = numberFormat({ notation: 'compact' });

/** A measured time in seconds with one decimal, rounded up, for texts in English. */
export const inSeconds = (ms: number): string => `${(Math.ceil(ms / 100) / 10).toFixed(1)} seconds`;
