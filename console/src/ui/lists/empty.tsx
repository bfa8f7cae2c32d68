import type { ReactNode } from 'react';
import { ButtonLink } from '../forms/button-link';
import type { ListWords } from '../words';

/** What an empty list shows: what will appear there, and how to add it. */
export interface Empty {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** What an empty list shows. If it is filtered or searched, it offers to show all. The environment and the order are no filters. */
export const emptyOf = (
  query: Readonly<Record<string, string | undefined>>,
  empty: Empty,
  words: ListWords,
): Empty =>
  Object.keys(query).every((name) => name === 'environment' || name === 'sort')
    ? empty
    : {
        title: words.noResults,
        text: words.noMatch,
        action: <ButtonLink to={{ search: '' }}>{words.clear}</ButtonLink>,
      };
