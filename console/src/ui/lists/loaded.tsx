import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../failure';
import { Stack } from '../layout/surface';
import style from './loaded.module.css';

/** Something that is read before it is shown: on its way, failed, or there. What is there stays while a later look fails. */
export function Loaded<T>({
  name,
  query: { data, error, refetch },
  children,
}: {
  /** What is read, for screen readers. */
  readonly name: string;
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return failure ?? <div className={style.bones} role="status" aria-label={`Loading ${name}`} />;
  return (
    <Stack>
      {failure}
      {children(data)}
    </Stack>
  );
}
