import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Happening } from './item';
import { type Position, readMerged, type Source } from './merge';

type Page = Awaited<ReturnType<typeof readMerged<Happening>>>;

/** Several lists as one, newest first, in pages of `size`. Default: not read again by itself. */
export const useMerged = (
  key: QueryKey,
  sources: readonly Source<Happening>[],
  size: number,
  refresh: { readonly staleTime?: number; readonly refetchInterval?: number } = {},
) =>
  useInfiniteQuery(
    infiniteQueryOptions<Page, Error, InfiniteData<Page>, QueryKey, Position<Happening> | undefined>({
      ...refresh,
      queryKey: key,
      queryFn: ({ pageParam, signal }) => readMerged(sources, pageParam, size, signal),
      initialPageParam: undefined,
      getNextPageParam: ({ position }) => position,
    }),
  );
