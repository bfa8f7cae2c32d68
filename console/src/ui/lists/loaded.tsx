import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../failure';
import { Stack } from '../layout/stack';
import { useListWords } from './list-words';
import style from './loaded.module.css';

/** Shows a query that is loading, failed or loaded. Loaded data stays visible if a later refresh fails. */
export function Loaded<T>({
  name,
  query: { data, error, refetch },
  children,
}: {
  /** What is loaded, for screen readers. */
  readonly name: string;
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  const words = useListWords();
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return failure ?? <div className={style.skeleton} role="status" aria-label={words.loading(name)} />;
  return (
    <Stack>
      {failure}
      {children(data)}
    </Stack>
  );
}
