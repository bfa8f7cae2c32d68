import { useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../ui/forms/use-sending';
import { useEnvironment } from '../environment';

/** Changes a device and reloads the list, also after an error, because an error usually means that the list was out of date. */
export function useDeviceChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useSending({
    mutationFn: change,
    onSuccess: (output) => onDone?.(output),
    onSettled: () => queries.invalidateQueries({ queryKey: ['devices', environment] }),
  });
}
