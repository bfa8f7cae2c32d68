import { createContext } from 'react';

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
