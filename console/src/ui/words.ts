import { createContext } from 'react';

/** The texts of lists. Their filters by date and by record are in English only. */
export interface ListWords {
  readonly loading: (name: string) => string;
  readonly shownAll: (count: number) => string;
  readonly shownFirst: (count: number) => string;
  readonly shown: (count: number, total: number, isExact: boolean) => string;
  /** The service stopped its search before it was at the end. */
  readonly shownSoFar: (count: number) => string;
  readonly more: string;
  readonly further: string;
  readonly noResults: string;
  readonly noMatch: string;
  readonly clear: string;
  readonly all: string;
  readonly filters: string;
  /** Follows the number of filters that are set. */
  readonly set: string;
  readonly results: string;
}

/** The texts of the shared parts, and the locale of their dates. A page in another language provides its own. */
export interface Words {
  /** A BCP 47 tag. Default: the browser's locale. */
  readonly locale?: string;
  readonly cancel: string;
  readonly close: string;
  readonly tryAgain: string;
  readonly tryAgainIn: (seconds: number) => string;
  /** Precedes the ID of a request. */
  readonly request: string;
  readonly never: string;
  readonly justNow: string;
  readonly expired: string;
  /** The message of an error for people. Default: English. */
  readonly messageOf?: (error: unknown) => string;
  /** The texts of lists. Default: English. */
  readonly lists?: ListWords;
}

export const ENGLISH: Words = {
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  tryAgainIn: (seconds) => `Try again in ${seconds} s`,
  request: 'Request',
  never: 'never',
  justNow: 'just now',
  expired: 'expired',
};

export const WordsContext = createContext(ENGLISH);
