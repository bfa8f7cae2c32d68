import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../ui/forms/use-sending';
import { svc } from './api';
import { CHANGES } from './changes';
import { useEnvironment } from './environment';
import { type Input, inputIn, type OperationName, type Reply } from './operation';

/** Reads again what these operations returned and is shown. The rest is read again when it is shown. */
export const reload = (queries: QueryClient, ...names: readonly OperationName[]): Promise<unknown> =>
  Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));

export function useReload(...names: readonly OperationName[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => reload(queries, ...names);
}

/** Reads again what this operation changes. */
export const useReloadAfter = (name: OperationName): (() => Promise<unknown>) =>
  useReload('consoleListAuditEvents', 'listActivity', ...(CHANGES[name] ?? []));

/**
 * Sends an operation in the environment of the page, then reads again what it changes. Also after an error, which usually means that
 * the page was out of date.
 */
export function useSend<O extends OperationName>(
  name: O,
  {
    done,
    onSuccess,
    onReloaded,
  }: {
    /** What a toast says when it has succeeded. */
    readonly done?: string | undefined;
    readonly onSuccess?: (reply: Reply<O>) => unknown;
    /** Counts as a part of the request, like what comes before it. */
    readonly onReloaded?: ((reply: Reply<O>) => unknown) | undefined;
  } = {},
) {
  const environment = useEnvironment();
  const reloadChanged = useReloadAfter(name);
  return useSending<Reply<O>, Input<O>>({
    mutationFn: (input) => svc.request(name, inputIn(environment, name, input)),
    done,
    onSuccess: async (reply) => {
      await onSuccess?.(reply);
      await reloadChanged();
      await onReloaded?.(reply);
    },
    onError: () => void reloadChanged(),
  });
}
