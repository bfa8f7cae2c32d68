import { useSending } from '../../ui/forms/use-sending';
import { useReload } from '../records/use-reload';

/** Changes a device and reloads the lists that may show it, also after an error, because an error usually means that the list was out of date. */
export function useDeviceChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  { done, onDone }: { readonly done?: string; readonly onDone?: (output: Output) => void } = {},
) {
  return useSending({
    mutationFn: change,
    done,
    onSuccess: (output) => onDone?.(output),
    onSettled: useReload('devices', 'identities', 'sessions', 'audit'),
  });
}
