import type { Operations, VersionedSecurityPolicy } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { svc } from '../../operations/api';

export const POLICY = ['consoleGetSecurityPolicy', null, 'with its version'] as const;

/** The account's policy, with the version that a change of it names. */
export const usePolicy = () =>
  useQuery({
    queryKey: POLICY,
    queryFn: ({ signal }) =>
      svc.requestWithHeaders('consoleGetSecurityPolicy', {}, {}, { signal }).then(versionedOf),
  });

/** Changes the policy if it still has that version. */
export const changePolicy = (
  changes: Operations['consoleUpdateSecurityPolicy']['body']['security_policy'],
  version: string,
): Promise<VersionedSecurityPolicy> =>
  svc
    .requestWithHeaders(
      'consoleUpdateSecurityPolicy',
      { body: { security_policy: changes } },
      { 'if-match': version },
    )
    .then(versionedOf);

const versionedOf = ({
  headers,
  reply,
}: {
  readonly headers: Headers;
  readonly reply: Operations['consoleGetSecurityPolicy']['reply'];
}): VersionedSecurityPolicy => ({ policy: reply.security_policy, version: headers.get('etag') ?? '' });
