import type { Operations } from '@svc/sdk';
import {
  infiniteQueryOptions,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { IN_ENVIRONMENT } from '../../generated/operations';
import type { ListPage } from '../../ui/lists/list';
import { type Environment, svc } from './api';
import { useEnvironment } from './environment';

export type OperationName = keyof Operations;
export type Reply<O extends OperationName> = Operations[O]['reply'];
/** The path, query and body of an operation, where it has them. */
export type Input<O extends OperationName> = Omit<Operations[O], 'reply'>;

/** The input with the environment of the page, unless it names another one or the operation is about the account. */
export function inputIn<O extends OperationName>(
  environment: Environment,
  name: O,
  input: Input<O>,
): Input<O> {
  if (/^console|^getHealth$/.test(name) && !IN_ENVIRONMENT.has(name)) return input;
  return { ...input, query: { environment, ...(input as WithQuery).query } } as never;
}

type WithQuery = { readonly query?: { readonly environment?: Environment } };

const keyOf = (name: OperationName, input: WithQuery) =>
  [name, input.query?.environment ?? null, input] as const;

/** A request of data, by the name of its operation. Its key has everything that the reply depends on, and the cache has the reply. */
const operation = <O extends OperationName>(name: O, input: Input<O>) => ({
  queryKey: keyOf(name, input),
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Reply<O>> =>
    svc.request(name, input, { signal }),
});

type Options<O extends OperationName, T> = Omit<
  UseQueryOptions<Reply<O>, Error, T, ReturnType<typeof keyOf>>,
  'queryKey' | 'queryFn'
>;

/** The reply of an operation in the environment of the page, or what `select` takes from it. */
export function useOperation<O extends OperationName, T = Reply<O>>(
  name: O,
  input: Input<O>,
  options?: Options<O, T>,
): UseQueryResult<T> {
  return useQuery<Reply<O>, Error, T, ReturnType<typeof keyOf>>({
    ...operation(name, inputIn(useEnvironment(), name, input)),
    ...options,
  });
}

type ItemsIn<R> = { [K in keyof R]-?: R[K] extends readonly (infer T)[] ? T : never }[keyof R];
/** A record of the list that an operation returns. */
export type ItemOf<O extends OperationName> = ItemsIn<Reply<O>>;

/** The records of a list's reply, which has one array. */
export const itemsOf = <O extends OperationName>(reply: Reply<O>): readonly ItemOf<O>[] =>
  Object.values(reply as object).find(Array.isArray) ?? [];

type ReadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;

const pagesBy = <T>(queryKey: QueryKey, read: ReadPage<T>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** The pages of a list, one after another. */
export type Pages<T> = ReturnType<typeof pagesBy<T>>;

/** The pages of the list that an operation returns. `read` reads one in another way than with one request. */
export const pages = <O extends OperationName, T = ItemOf<O>>(
  name: O,
  input: Input<O>,
  read: ReadPage<T> = async (cursor, signal) => {
    const query = { ...(input as WithQuery).query, cursor };
    const reply = await svc.request(name, { ...input, query } as never, { signal });
    return { nextCursor: null, ...(reply as object), items: itemsOf<O>(reply) as readonly T[] };
  },
): Pages<T> => pagesBy([...keyOf(name, input), 'pages'], read);

/** Reads a list, unless it is disabled. Its request is sent while the page is rendered, not after that. */
export function usePages<T>(list: Pages<T>) {
  const queries = useQueryClient();
  if (list.enabled !== false && queries.getQueryState(list.queryKey) === undefined)
    void queries.prefetchInfiniteQuery(list);
  return useInfiniteQuery(list);
}
