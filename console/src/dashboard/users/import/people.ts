import { formatNumber } from '../../../ui/numbers';
import type { LeftOut } from './read-people';

export const people = (count: number) => (count === 1 ? '1 person' : `${formatNumber(count)} people`);

/** The lines of a file by their numbers, at most five. */
const lineNumbers = (lines: readonly number[]) =>
  `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ' …' : ''}`;

/** Why lines are left out, each with the lines. */
export function leftOutBy(lines: readonly LeftOut[]): [why: string, lineNames: string][] {
  const numbers = new Map<string, number[]>();
  for (const { why, number } of lines) numbers.set(why, [...(numbers.get(why) ?? []), number]);
  return [...numbers].map(([why, of]) => [why, lineNumbers(of)]);
}
