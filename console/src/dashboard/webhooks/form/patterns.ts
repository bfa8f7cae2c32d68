import { isSelected, type Noun } from '../../nouns/words/event-types';

/** Patterns such as `user.*` or `identity.revoked`, in the order in which they were chosen. */
export type Patterns = readonly string[];

export const wholeOf = ({ noun }: Noun): string => `${noun}.*`;

export const isChosen = (patterns: Patterns, type: string): boolean =>
  patterns.some((pattern) => isSelected(pattern, type));

/** Whether all, some or no types of the noun are chosen. */
export function stateOf(patterns: Patterns, noun: Noun): 'all' | 'some' | 'none' {
  if (patterns.includes('*') || patterns.includes(wholeOf(noun))) return 'all';
  return noun.types.some((type) => isChosen(patterns, type)) ? 'some' : 'none';
}

const without = (patterns: Patterns, noun: Noun): Patterns =>
  patterns.filter((pattern) => pattern !== wholeOf(noun) && !noun.types.includes(pattern));

/** Chooses all types of a noun, also later ones, or none if all are chosen. */
export const toggleNoun = (patterns: Patterns, noun: Noun): Patterns =>
  stateOf(patterns, noun) === 'all' ? without(patterns, noun) : [...without(patterns, noun), wholeOf(noun)];

/** Chooses one type or leaves it out. When all types of the noun are chosen, that is the pattern of the noun. */
export function toggleType(patterns: Patterns, noun: Noun, type: string): Patterns {
  const before = noun.types.filter((one) => isChosen(patterns, one));
  const after = before.includes(type) ? before.filter((one) => one !== type) : [...before, type];
  const others = without(patterns, noun);
  return after.length === noun.types.length ? [...others, wholeOf(noun)] : [...others, ...after];
}

/** `All events`, or the patterns. Beyond three, how many more there are. */
export function textOfPatterns(patterns: Patterns): string {
  if (patterns.includes('*')) return 'All events';
  const [shown, more] = [patterns.slice(0, 3), patterns.length - 3];
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
