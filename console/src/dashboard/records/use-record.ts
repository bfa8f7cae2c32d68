import { isSvcError } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Environment } from '../api';
import { useEnvironment } from '../environment';
import type { RecordPage } from '../paths';
import { useListedRecord } from './lists/listed-records';

/** How most records are requested. */
interface Request {
  readonly path: { readonly id: string };
  readonly query: { readonly environment: Environment };
}

/** The record of the address, for a `RecordFrame`. */
export interface Found<T> {
  readonly id: string;
  /** What the record is, for example Person. */
  readonly kind: string;
  readonly page: RecordPage;
  /** Until it is loaded, the row of the list. Undefined before that, or if there is no such record. */
  readonly record: T | undefined;
  readonly isMissing: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  /** Whether it is read again by itself. */
  readonly isPolled: boolean;
}

const isNotFound = (error: unknown): boolean => isSvcError(error) && error.status === 404;

export function useRecord<T>({
  kind,
  page,
  key = page,
  read,
  pollMs = () => 0,
}: {
  readonly kind: string;
  readonly page: RecordPage;
  /** The first part of its query key. */
  readonly key?: string;
  /** Undefined if there is no such record. */
  readonly read: (request: Request, signal: AbortSignal) => Promise<T | undefined>;
  /** How often it is read again. 0 for never. */
  readonly pollMs?: (record: T | undefined) => number;
}): Found<T> {
  const { id = '' } = useParams();
  const environment = useEnvironment();
  const listed = useListedRecord<T>(id);
  const { data, error, isSuccess, refetch } = useQuery({
    queryKey: [key, environment, 'one', id],
    queryFn: async ({ signal }) => (await read({ path: { id }, query: { environment } }, signal)) ?? null,
    placeholderData: listed as never,
    refetchInterval: ({ state }) => !isNotFound(state.error) && pollMs(state.data ?? undefined),
  });
  const isMissing = isNotFound(error) || (isSuccess && data === null);
  return {
    id,
    kind,
    page,
    record: isMissing ? undefined : (data ?? undefined),
    isMissing,
    error,
    retry: () => void refetch(),
    isPolled: pollMs(data ?? undefined) > 0,
  };
}
