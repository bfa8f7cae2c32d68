import { isSvcError } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { Failure } from '../../ui/failure';
import type { Environment } from '../api';
import { useEnvironment } from '../environment';
import type { RecordPage } from '../paths';
import { useListedRecord } from './listed-records';
import style from './record.module.css';
import { RecordPanel } from './record-panel';

/** The record of the address. Until it is loaded, the row of the list is shown. */
export function LoadedRecord<T>({
  kind,
  page,
  read,
  children,
}: {
  /** What the record is, for example Person. */
  readonly kind: string;
  readonly page: RecordPage;
  /** Undefined if there is no such record. */
  readonly read: (id: string, environment: Environment, signal: AbortSignal) => Promise<T | undefined>;
  readonly children: (record: T) => ReactNode;
}) {
  const { id = '' } = useParams();
  const environment = useEnvironment();
  const listed = useListedRecord<T>(id);
  const { data, error, refetch, isSuccess } = useQuery({
    queryKey: [page, environment, 'one', id],
    queryFn: async ({ signal }) => (await read(id, environment, signal)) ?? null,
    placeholderData: listed as never,
  });
  if (data) return children(data);
  const isMissing = isSuccess || (isSvcError(error) && error.status === 404);
  if (isMissing)
    return (
      <RecordPanel kind={kind} title="Not found">
        <p>
          This {environment} record does not exist. It may belong to the other environment or to another
          account.
        </p>
      </RecordPanel>
    );
  return (
    <RecordPanel kind={kind} title={error ? 'Could not be loaded' : <span className={style.skeleton} />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
    </RecordPanel>
  );
}
