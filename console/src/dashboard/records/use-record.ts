import { isSvcError } from '@svc/sdk';
import { useParams } from 'react-router';
import { type Input, type OperationName, type Reply, useOperation } from '../operations/operation';
import type { RecordPage } from '../paths';
import { useListedRecord } from './lists/listed-records';

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

export function useRecord<O extends OperationName, T>({
  kind,
  page,
  operation,
  input,
  pick,
  isPossible = () => true,
  pollMs = () => 0,
}: {
  readonly kind: string;
  readonly page: RecordPage;
  readonly operation: O;
  readonly input: (id: string) => Input<O>;
  /** The record in the reply. Undefined if there is no such record. */
  readonly pick: (reply: Reply<O>) => T | undefined;
  /** Whether a record can have this ID. */
  readonly isPossible?: (id: string) => boolean;
  /** How often it is read again. 0 for never. */
  readonly pollMs?: (record: T | undefined) => number;
}): Found<T> {
  const { id = '' } = useParams();
  const listed = useListedRecord<T>(id);
  const { data, error, refetch } = useOperation(operation, input(id), {
    enabled: isPossible(id),
    refetchInterval: ({ state }) => !isNotFound(state.error) && pollMs(state.data && pick(state.data)),
  });
  const loaded = data && pick(data);
  const isMissing = isNotFound(error) || !isPossible(id) || (data !== undefined && loaded === undefined);
  const record = isMissing ? undefined : (loaded ?? (error === null ? listed : undefined));
  return {
    id,
    kind,
    page,
    record,
    isMissing,
    error,
    retry: () => void refetch(),
    isPolled: pollMs(record) > 0,
  };
}
