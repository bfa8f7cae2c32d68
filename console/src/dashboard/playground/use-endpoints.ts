import { useQuery } from '@tanstack/react-query';
import { type ApiDocument, endpointsOf } from './endpoints';

/** The endpoints of the service that sent this page. */
export const useEndpoints = () =>
  useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal });
      if (!response.ok) throw new Error(`The API description could not be loaded (${response.status}).`);
      return endpointsOf((await response.json()) as ApiDocument);
    },
  });
