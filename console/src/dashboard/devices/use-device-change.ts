import { useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../ui/forms/use-sending';
import { useEnvironment } from '../environment';

/** Changes a device and reloads the lists that may show it, also after an error, because an error usually means that the list was out of date. */
export function useDeviceChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  { done, onDone }: { readonly done?: string; readonly onDone?: (output: Output) => void } = {},
) {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useSending({
    mutationFn: change,
    done,
    onSuccess: (output) => onDone?.(output),
    onSettled: () =>
      Promise.all(
        ['devices', 'identities', 'sessions', 'audit'].map((key) =>
          queries.invalidateQueries({ queryKey: [key, environment] }),
        ),
      ),
  });
}
