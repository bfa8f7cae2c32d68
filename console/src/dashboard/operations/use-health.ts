import { useOperation } from './operation';

const REFRESH_INTERVAL_MS = 30_000;

export const useHealth = () => useOperation('getHealth', {}, { refetchInterval: REFRESH_INTERVAL_MS });

/** Whether the service has a blockchain, which does not change while it runs. Undefined until that is known. */
export const useHasBlockchain = (): boolean | undefined =>
  useOperation(
    'getHealth',
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      select: ({ subsystems }) => subsystems.blockchain.status !== 'not_configured',
    },
  ).data;
