import { formatNumber } from '../../../ui/numbers';

export const people = (count: number) => (count === 1 ? '1 person' : `${formatNumber(count)} people`);

/** The lines of a file by their numbers, at most five. */
export const lineNumbers = (lines: readonly number[]) =>
  `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ' …' : ''}`;
