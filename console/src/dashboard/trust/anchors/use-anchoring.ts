import { useQuery } from '@tanstack/react-query';
import { usePolicy } from '../../nouns/policy/use-policy';
import { svc } from '../../operations/api';
import { useHealth } from '../../operations/use-health';

const REFRESH_MS = 15_000;

/** What the account anchors, and whether that works at present. */
export function useAnchoring() {
  const { data: health } = useHealth();
  const { data: policy } = usePolicy();
  const providers = policy?.policy.providers;
  return {
    /** Also until that is known. */
    isReachable: health === undefined || health.subsystems.blockchain.status === 'ok',
    /** Undefined until the policy is loaded. */
    anchored: policy && {
      people: providers?.did === 'onchain',
      auditLog: providers?.auditAnchor === 'onchain',
    },
  };
}

/** The newest record, and what waits. Anchors belong to the live environment. */
export const useNewestAnchor = () =>
  useQuery({
    queryKey: ['listAnchors', 'live', 'newest'],
    queryFn: async ({ signal }) => {
      const query = { environment: 'live', limit: 1 } as const;
      const [{ anchors, waiting }, { anchors: heads }] = await Promise.all([
        svc.request('listAnchors', { query }, { signal }),
        svc.request('listAnchors', { query: { ...query, kind: 'audit_head' } }, { signal }),
      ]);
      return { newest: anchors[0], head: heads[0], waiting };
    },
    refetchInterval: REFRESH_MS,
  });
