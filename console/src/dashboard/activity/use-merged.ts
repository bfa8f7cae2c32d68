import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Happening } from './item';
import { type Position, readMerged, type Source } from './merge';

type Page = Awaited<ReturnType<typeof readMerged<Happening>>>;

/** Several lists as one, newest first, in pages of `size`. */
export const useMerged = (key: QueryKey, sources: readonly Source<Happening>[], size: number) =>
  useInfiniteQuery(
    infiniteQueryOptions<Page, Error, InfiniteData<Page>, QueryKey, Position<Happening> | undefined>({
      queryKey: key,
      queryFn: ({ pageParam, signal }) => readMerged(sources, pageParam, size, signal),
      initialPageParam: undefined,
      getNextPageParam: ({ position }) => position,
    }),
  );
