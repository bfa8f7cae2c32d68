import type { UserUpdateParams } from '@svc/sdk';
import { useSending } from '../../ui/forms/use-sending';
import { type ListedUser, svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';

/** Changes a person, and reloads the lists that may show them or their sessions. */
export function usePersonChange({ id }: ListedUser, done: string, onDone: () => void) {
  const environment = useEnvironment();
  return useSending({
    mutationFn: (body: UserUpdateParams) =>
      svc.request('updateUser', { path: { userId: id }, query: { environment }, body }),
    done,
    onSuccess: onDone,
    onSettled: useReload('users', 'sessions', 'browsers', 'audit'),
  });
}
