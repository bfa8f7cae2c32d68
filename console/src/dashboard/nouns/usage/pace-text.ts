import { dateFormat } from '../../../ui/dates/date-format';
import type { Pace } from './pace';

const DAY = dateFormat({ day: 'numeric', month: 'long' });

/** Undefined if the quota lasts for the month. */
export const textOfPace = ({ used, limit, usedUpAt }: Pace): string | undefined => {
  if (usedUpAt === undefined) return undefined;
  return used >= limit ? 'Used up' : `At this pace, used up on ${DAY(usedUpAt)}`;
};
