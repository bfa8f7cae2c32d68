import { useQuery } from '@tanstack/react-query';
import { svc } from '../../api';

export const POLICY = ['security-policy'] as const;

/** The account's policy, with the version that a change of it names. */
export const usePolicy = () =>
  useQuery({
    queryKey: POLICY,
    queryFn: ({ signal }) => svc.console.getVersionedSecurityPolicy({ signal }),
  });
