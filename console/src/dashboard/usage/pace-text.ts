import type { Pace } from './pace';

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });

/** Undefined if the quota lasts for the month. */
export const textOfPace = ({ used, limit, usedUpAt }: Pace): string | undefined => {
  if (usedUpAt === undefined) return undefined;
  return used >= limit ? 'Used up' : `At this pace, used up on ${DAY.format(usedUpAt)}`;
};
