/** Makes a format when it is first used: a browser takes long for its first one, and a page that starts needs none. */
const onFirstUse = (make: () => Intl.NumberFormat) => {
  let made: Intl.NumberFormat | undefined;
  return (value: number): string => {
    made ??= make();
    return made.format(value);
  };
};

/** A number as the reader's browser writes it, like 1,500. */
export const formatNumber = onFirstUse(() => new Intl.NumberFormat());

/** A share of 1 in per cent, with at most one decimal. */
export const formatPercent = onFirstUse(
  () => new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }),
);

/** A measured time in seconds with one decimal, rounded up, for texts in English. */
export const inSeconds = (ms: number): string => `${(Math.ceil(ms / 100) / 10).toFixed(1)} seconds`;
