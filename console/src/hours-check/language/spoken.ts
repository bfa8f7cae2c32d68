import { createContext, useContext } from 'react';
import type { CheckTexts } from './en';

export interface Spoken {
  /** A BCP 47 tag for dates and numbers. */
  readonly locale: string;
  readonly texts: CheckTexts;
}

export const SpokenContext = createContext<Spoken | undefined>(undefined);

/** The language of the check. Within its panel, there is one. */
export const useSpoken = (): Spoken => useContext(SpokenContext) as Spoken;

/** How a number is written there. */
export function useNumber(): (value: number) => string {
  const format = new Intl.NumberFormat(useSpoken().locale);
  return (value) => format.format(value);
}
