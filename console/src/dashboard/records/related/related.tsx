import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../../ui/failure';
import { Rows } from '../../../ui/lists/rows';
import { Ago } from '../../../ui/lists/time';
import {
  type Input,
  type ItemOf,
  itemsOf,
  type OperationName,
  useOperation,
} from '../../operations/operation';
import { type Group, groupsOf } from '../groups/groups';
import style from './related.module.css';

interface RelatedPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** The first page of the list that an operation returns. */
export const useRelated = <O extends OperationName>(operation: O, input: Input<O>) =>
  useOperation(operation, input, {
    select: (reply): RelatedPage<ItemOf<O>> => ({
      items: itemsOf<O>(reply),
      hasMore: ((reply as { readonly nextCursor?: string | null }).nextCursor ?? null) !== null,
    }),
  });

/** The newest records that belong to another record, with a link to all of them. */
export function Related<T>({
  name,
  query: { data, error, refetch },
  row,
  keyOf,
  sameAs = keyOf,
  empty,
  more,
  action,
}: {
  readonly name: string;
  readonly query: UseQueryResult<RelatedPage<T>>;
  /** `count` neighbours that say the same are one row, which has the others below it. */
  readonly row: (item: T, count: number) => ReactNode;
  readonly keyOf: (item: T) => string;
  /** What makes neighbours equal. Default: none are. */
  readonly sameAs?: (item: T) => string;
  /** What is shown if there are none. */
  readonly empty: ReactNode;
  /** Where all of them are listed. */
  readonly more?: string;
  /** Above the list. */
  readonly action?: (items: readonly T[]) => ReactNode;
}) {
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return <div className={style.skeleton} role="status" aria-label={`Loading ${name}`} data-loading />;
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
        {groupsOf(data.items, sameAs).map((group) => (
          <li key={keyOf(group.first)}>
            {row(group.first, group.items.length)}
            {group.items.length > 1 && <Others group={group} row={row} keyOf={keyOf} />}
          </li>
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

/** The other rows of a group. */
function Others<T>({
  group: { items },
  row,
  keyOf,
}: {
  readonly group: Group<T>;
  readonly row: (item: T, count: number) => ReactNode;
  readonly keyOf: (item: T) => string;
}) {
  return (
    <details className={style.others}>
      <summary>Show all {items.length}</summary>
      <Rows>
        {items.map((item) => (
          <li key={keyOf(item)}>{row(item, 1)}</li>
        ))}
      </Rows>
    </details>
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
