import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../../ui/failure';
import { Rows } from '../../../ui/lists/rows';
import { Ago } from '../../../ui/lists/time';
import style from './related.module.css';

interface RelatedPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** The newest records that belong to another record, with a link to all of them. */
export function Related<T>({
  name,
  queryKey,
  read,
  row,
  keyOf,
  empty,
  more,
  action,
}: {
  readonly name: string;
  readonly queryKey: QueryKey;
  readonly read: (signal: AbortSignal) => Promise<RelatedPage<T>>;
  readonly row: (item: T) => ReactNode;
  readonly keyOf: (item: T) => string;
  /** What is shown if there are none. */
  readonly empty: ReactNode;
  /** Where all of them are listed. */
  readonly more?: string;
  /** Above the list. */
  readonly action?: (items: readonly T[]) => ReactNode;
}) {
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
  });
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return <div className={style.skeleton} role="status" aria-label={`Loading ${name}`} />;
  if (data.items.length === 0)
    return (
      <>
        <p className={style.empty}>{empty}</p>
        {action?.(data.items)}
      </>
    );
  return (
    <>
      {action?.(data.items)}
      <Rows lined aria-label={name}>
        {data.items.map((item) => (
          <li key={keyOf(item)}>{row(item)}</li>
        ))}
      </Rows>
      {data.hasMore && more !== undefined && (
        <Link className={style.more} to={more}>
          View all
        </Link>
      )}
    </>
  );
}

/** A row of such a list: what, more about it, and when. */
export const RelatedRow = ({
  what,
  about,
  at,
  children,
}: {
  readonly what: ReactNode;
  readonly about?: ReactNode;
  readonly at?: string;
  /** Actions. */
  readonly children?: ReactNode;
}) => (
  <div className={style.row}>
    <div className={style.what}>
      <strong>{what}</strong>
      {about && <span>{about}</span>}
    </div>
    {at && (
      <span className={style.when}>
        <Ago at={at} />
      </span>
    )}
    {children}
  </div>
);

/** The name of a related record as a link to it. */
export const RelatedLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Link className={style.link} to={to}>
    {children}
  </Link>
);
