import { useQuery } from '@tanstack/react-query';
import type { FunctionComponent } from 'react';
import { Failure } from '../../ui/failure';

/** A part of the page that is loaded when it is needed. The service worker has all parts, so it also works without a network. */
export function Later<P extends object>({
  name,
  load,
  of,
}: {
  readonly name: string;
  readonly load: () => Promise<FunctionComponent<P>>;
  readonly of: P;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['part', name],
    queryFn: async () => ({ Part: await load() }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return data ? <data.Part {...of} /> : null;
}
