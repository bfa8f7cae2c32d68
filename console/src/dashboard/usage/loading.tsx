import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/failure';
import style from './usage.module.css';

/** A chart or table while it loads, if it failed, or if it has nothing to show. Each takes the room that it has when it is filled. */
export function Loading<T>({
  name,
  size,
  query: { data, error, refetch },
  isEmpty,
  empty,
  children,
}: {
  /** What is loaded, for screen readers. */
  readonly name: string;
  readonly size: 'chart' | 'table';
  readonly query: UseQueryResult<T>;
  readonly isEmpty: (data: T) => boolean;
  readonly empty: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  return (
    <div className={style.loading} data-size={size}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && (
          // Two elements, because Chromium counts an element whose animation ends as moved.
          <div key="loading" className={style.skeleton} role="status" aria-label={`Loading ${name}`} />
        )
      ) : isEmpty(data) ? (
        <div key="empty" className={style.empty}>
          {empty}
        </div>
      ) : (
        children(data)
      )}
    </div>
  );
}
