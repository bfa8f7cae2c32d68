import type { ReactNode } from 'react';
import { ButtonLink } from '../forms/button-link';

/** What an empty list shows: what will appear there, and how to add it. */
export interface Empty {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** What an empty list shows. If it is filtered or searched, it offers to show all. The environment and the order are no filters. */
export const emptyOf = (query: Readonly<Record<string, string | undefined>>, empty: Empty): Empty =>
  Object.keys(query).every((name) => name === 'environment' || name === 'sort')
    ? empty
    : {
        title: 'No results',
        text: 'No records match the filters.',
        action: <ButtonLink to={{ search: '' }}>Clear filters</ButtonLink>,
      };
