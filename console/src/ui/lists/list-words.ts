import { useContext } from 'react';
import { formatNumber } from '../numbers';
import { type ListWords, WordsContext } from '../words';

export const ENGLISH_LISTS: ListWords = {
  loading: (name) => `Loading ${name}`,
  shownAll: (count) => `Showing ${formatNumber(count)} of ${formatNumber(count)}`,
  shownFirst: (count) => `Showing the first ${formatNumber(count)}`,
  shown: (count, total, isExact) =>
    `Showing ${formatNumber(count)} of ${isExact ? '' : 'more than '}${formatNumber(total)}`,
  shownSoFar: (count) =>
    `${count === 0 ? 'Nothing found' : `Found ${formatNumber(count)}`} so far. Not everything has been searched yet.`,
  more: 'Show more',
  further: 'Search further',
  noResults: 'No results',
  noMatch: 'No records match the filters.',
  clear: 'Clear filters',
  all: 'All',
  filters: 'Filters',
  set: 'set',
  results: 'Show results',
};

export const useListWords = (): ListWords => useContext(WordsContext).lists ?? ENGLISH_LISTS;
