import { keepPreviousData } from '@tanstack/react-query';
import { useOutletContext, useSearchParams } from 'react-router';
import { type Environment, svc } from '../operations/api';
import { useOperation } from '../operations/operation';
import { isRange, queryOf, type Range } from './series';

/** What the charts show, from the address. By default, a week of the environment selected in the navigation. */
export function useShown(): { readonly range: Range; readonly environment: Environment } {
  const [search] = useSearchParams();
  const selected = useOutletContext<Environment>();
  const [range, environment] = [search.get('range'), search.get('environment')];
  return {
    range: isRange(range) ? range : '7d',
    environment: environment === 'live' || environment === 'test' ? environment : selected,
  };
}

/** Keeps what is shown until another range has loaded. */
export function useSeries(by: 'status' | 'endpoint' | 'key') {
  const { range, environment } = useShown();
  return useOperation(
    'consoleGetUsageSeries',
    { query: { environment, by, ...queryOf(range, svc.serverNow()) } },
    { placeholderData: keepPreviousData, select: ({ series }) => series },
  );
}
