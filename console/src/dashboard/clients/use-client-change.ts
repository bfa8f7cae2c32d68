import type { OidcClient, OidcClientUpdateParams } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useSending } from '../../ui/forms/use-sending';
import { AUDIT, CLIENTS, svc } from '../api';
import { useEnvironment } from '../environment';

/** Reloads the applications and the audit log. */
export function useClientReload(): () => Promise<unknown> {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    Promise.all([CLIENTS, AUDIT].map(([key]) => queries.invalidateQueries({ queryKey: [key, environment] })));
}

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
