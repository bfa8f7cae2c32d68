import { createContext, useContext } from 'react';
import type { Texts } from './en';
import type { Spoken } from './load';

export const SpokenContext = createContext<Spoken | undefined>(undefined);

/** The language that the page is in. Within the frame, there is one. */
export const useSpoken = (): Spoken => useContext(SpokenContext) as Spoken;

export const useTexts = (): Texts => useSpoken().texts;

/** What a flag means. A newer service may have flags that this page does not know. */
export function useFlagText(): (code: string) => string {
  const { flags } = useSpoken();
  return (code) => flags[code] ?? code;
}
