import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Outlet, useMatch } from 'react-router';
import { Page } from '../../ui/layout/surface';
import type { Empty } from '../../ui/lists/empty';
import { type Column, type ListPage, RecordList } from '../../ui/lists/list';
import { useEnvironment } from '../environment';
import { type RecordPage, recordIn } from '../paths';
import { type ListedRecords, recordsOf } from './listed-records';
import style from './records-page.module.css';

/** A list, with the record of the address beside it. On narrow screens, the record takes the place of the list. */
export function RecordsPage<T extends { readonly id: string }>({
  title,
  name = title,
  page,
  actions,
  filters,
  list,
  columns,
  keyOf = ({ id }) => id,
  empty,
  children,
}: {
  readonly title: string;
  /** The list's name for screen readers, if it is not the title. */
  readonly name?: string;
  readonly page: RecordPage;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly list: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  readonly columns: readonly Column<T>[];
  /** The last part of a record's address. */
  readonly keyOf?: (item: T) => string;
  readonly empty: Empty;
  /** Dialogs, or what stands above the list. */
  readonly children?: ReactNode;
}) {
  const environment = useEnvironment();
  const opened = useMatch(`/:environment/${page}/:id`)?.params.id;
  const listed: ListedRecords = { page, ...recordsOf(list.data, keyOf) };
  return (
    <div className={opened === undefined ? undefined : style.split}>
      <div className={style.records}>
        <Page title={title} actions={actions}>
          {children}
          {filters}
          <RecordList
            name={name}
            query={list}
            columns={columns}
            empty={empty}
            opened={opened}
            keyOf={keyOf}
            addressOf={(item) => recordIn(environment, page, keyOf(item))}
          />
        </Page>
      </div>
      <Outlet context={listed} />
    </div>
  );
}
