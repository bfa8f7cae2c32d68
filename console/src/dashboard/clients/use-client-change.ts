import type { OidcClient, OidcClientUpdateParams } from '@svc/sdk';
import { useSending } from '../../ui/forms/use-sending';
import { AUDIT, CLIENTS, svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';

/** Reloads the applications and the audit log. */
export const useClientReload = () => useReload(CLIENTS[0], AUDIT[0]);

/** Changes an application. */
export function useClientChange(
  { clientId }: Pick<OidcClient, 'clientId'>,
  done: string,
  onDone?: () => void,
) {
  const environment = useEnvironment();
  return useSending({
    mutationFn: (body: OidcClientUpdateParams) =>
      svc.request('consoleUpdateOidcClient', { path: { clientId }, query: { environment }, body }),
    done,
    onSuccess: () => onDone?.(),
    onSettled: useClientReload(),
  });
}
