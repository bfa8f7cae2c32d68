import { isSvcError } from '@svc/sdk';
import type { LucideIcon } from 'lucide-react';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { Outlet, useMatch, useSearchParams } from 'react-router';
import { Button, ButtonAnchor } from '../../../ui/forms/button';
import { Row } from '../../../ui/layout/stack';
import { Page } from '../../../ui/layout/surface';
import { type Empty, emptyOf } from '../../../ui/lists/empty';
import {
  type Chosen,
  FilterBar,
  type Filters,
  useFilters,
  useSearched,
} from '../../../ui/lists/filters/filters';
import { type Column, RecordList } from '../../../ui/lists/list';
import { useListWords } from '../../../ui/lists/list-words';
import { type CsvList, Export } from '../../download';
import { useRole } from '../../nouns/members/needs';
import { hasRole, type Need, type Role } from '../../nouns/members/roles';
import type { Environment } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { type Pages, usePages } from '../../operations/operation';
import { type RecordPage, recordIn, routeOf } from '../../paths';
import { useGrouped } from '../groups/grouped';
import { useAdding } from './adding';
import style from './list-of.module.css';
import { type ListQuery, readTimes } from './list-query';
import { recordsOf } from './listed-records';

/** A column, or one that only members with this role see, because it changes something. */
export type ListColumn<T> = Column<T> & { readonly role?: Role };

/** What of a list depends on its query, or has a state of its own. */
interface Parts<T> {
  readonly columns?: readonly ListColumn<T>[];
  readonly actions?: ReactNode;
  /** Above the filters. */
  readonly above?: ReactNode;
  /** Between the filters and the list. */
  readonly note?: ReactNode;
  /** In place of the list and its filters. */
  readonly instead?: ReactNode;
  /** Records that came after the list was loaded. */
  readonly newer?: readonly T[];
  readonly dialog?: ReactNode;
}

type QueryOf<F extends Filters, M, S extends string> = ListQuery & Chosen<F> & M & { readonly sort?: S };

interface Options<T, F extends Filters, M, P, S extends string> {
  readonly title: string;
  /** A section has its title and its filters in one line, below the title of its page. Default: a page. */
  readonly place?: 'page' | 'section';
  /** The list's name for screen readers. Default: the title. */
  readonly name?: string;
  /** Where its records are shown. Default: nowhere. */
  readonly records?: RecordPage;
  /** The last part of a record's address. */
  readonly keyOf?: (item: T) => string;
  readonly read: (query: QueryOf<F, M, S>, props: P) => Pages<T>;
  /** How often the list is read again, by the number of its pages. 0 for never. */
  readonly pollMs?: (pages: number) => number;
  readonly filters?: F;
  /** What the list can be searched for. */
  readonly search?: string;
  /** Whether it can be restricted to a range of days. */
  readonly byTime?: boolean;
  /** What makes neighbours equal, so that they are one row. */
  readonly sameAs?: (item: T) => string;
  /** The orders besides the newest first. */
  readonly sorts?: readonly S[];
  /** Filters that only links set. */
  readonly useMore?: () => M;
  readonly More?: ComponentType;
  /** Its name where it can be downloaded for a spreadsheet. */
  readonly csv?: CsvList;
  readonly columns?: readonly ListColumn<T>[];
  readonly useParts?: (query: QueryOf<F, M, S>, props: P) => Parts<T>;
  /** The button that opens a dialog to add a record, which an empty list shows too. */
  readonly add?: {
    readonly name: string;
    readonly icon: LucideIcon;
    /** Default: developer. */
    readonly role?: Need;
    readonly Dialog: ComponentType<{ readonly onClose: () => void }>;
  };
  readonly empty: Empty | ((environment: Environment) => Empty);
  /** What is shown instead to members whom the service refuses it. Default: the error. */
  readonly refused?: ReactNode;
  /** The guide that an empty list links to. */
  readonly guide?: string;
}

/** A list by its columns and filters: a component. */
export const listOf =
  <
    T extends { readonly id: string },
    F extends Filters = Filters,
    M extends Readonly<Record<string, string>> = Readonly<Record<never, string>>,
    P = object,
    S extends string = never,
  >(
    options: Options<T, F, M, P, S>,
  ) =>
  (props: P) => <List options={options} props={props} />;

/**
 * A list with its title, filters, actions, records and dialogs. A record with a panel stands beside it, and takes its place on
 * narrow screens.
 */
function List<T extends { readonly id: string }, F extends Filters, M extends object, P, S extends string>({
  options,
  props,
}: {
  readonly options: Options<T, F, M, P, S>;
  readonly props: P;
}) {
  const { title, name = title, place = 'page', records, keyOf = ({ id }: T) => id, csv } = options;
  const role = useRole();
  const add = options.add && hasRole(role, options.add.role ?? 'developer') ? options.add : undefined;
  const { query, more } = useQueryOf(options);
  const opened = useMatch(`/:environment/${records ? routeOf(records) : '-'}/:id`)?.params.id;
  const [isAdding, setAdding] = useAdding();
  const parts = options.useParts?.(query, props) ?? {};
  const words = useListWords();
  const { actions, above, note, instead, newer = [] } = parts;
  const columns = columnsFor(role, parts.columns ?? options.columns ?? []);
  const list = usePages({
    ...options.read(query, props),
    enabled: instead === undefined,
    // All pages are read again, one after another.
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= MAX_REFRESHED_PAGES,
    refetchInterval: ({ state: { data } }) => options.pollMs?.(data?.pages.length ?? 0) || false,
  });
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? NO_ITEMS, [list.data]);
  const grouped = useGrouped<T>(
    items,
    options.sameAs,
    (item) => opened !== undefined && keyOf(item) === opened,
  );
  const addButton = add && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <add.icon size={16} aria-hidden="true" />
      {add.name}
    </Button>
  );
  const table = (
    <RecordList
      {...{ name, query: list, newer, keyOf }}
      rows={grouped?.items}
      columns={grouped?.columns(columns) ?? columns}
      grows={place === 'page'}
      empty={emptyOf(query, emptyWith(options, query.environment, addButton), words)}
      {...(records && { opened, addressOf: (item: T) => recordIn(query.environment, records, keyOf(item)) })}
    />
  );
  const dialogs = (
    <>
      {add && isAdding && <add.Dialog onClose={() => setAdding(false)} />}
      {parts.dialog}
    </>
  );
  if (place === 'section')
    return (
      <section className={style.section} aria-label={name}>
        <header>
          <h2>{title}</h2>
          <ListFilters {...options} more={more} />
        </header>
        {note}
        {table}
        {dialogs}
      </section>
    );
  return (
    <div className={opened === undefined ? undefined : style.split}>
      <div className={style.records}>
        <Page
          title={title}
          actions={
            (actions ?? csv ?? add) && (
              <>
                {actions}
                {csv && <Export list={csv} query={query} />}
                {addButton}
              </>
            )
          }
        >
          {above}
          {instead ?? (isSvcError(list.error, 'role_insufficient') ? options.refused : undefined) ?? (
            <>
              <ListFilters {...options} more={more} />
              {note}
              {table}
            </>
          )}
          {dialogs}
        </Page>
      </div>
      <Outlet context={records && { page: records, ...recordsOf(list.data, keyOf) }} />
    </div>
  );
}

const NO_ITEMS: readonly never[] = [];

/** A list of more pages is only read again after a change. */
const MAX_REFRESHED_PAGES = 5;

const columnsFor = <T,>(held: Role, columns: readonly ListColumn<T>[]) =>
  columns.filter(({ role }) => role === undefined || hasRole(held, role));

const ListFilters = <F extends Filters>({
  filters,
  search,
  byTime = false,
  more,
  More,
}: Pick<Options<never, F, never, never, never>, 'filters' | 'search' | 'byTime' | 'More'> & {
  readonly more: number;
}) =>
  filters && (
    <FilterBar {...{ filters, byTime, more }} {...(search !== undefined && { search })}>
      {More && <More />}
    </FilterBar>
  );

const NONE: Filters = {};

/** The query of the address, and how many filters only links set. Values that the API would reject are ignored. */
function useQueryOf<T, F extends Filters, M extends object, P, S extends string>({
  filters,
  search,
  byTime,
  sorts,
  useMore,
}: Options<T, F, M, P, S>): { readonly query: QueryOf<F, M, S>; readonly more: number } {
  const environment = useEnvironment();
  const [params] = useSearchParams();
  const chosen = useFilters(filters ?? NONE);
  const searched = useSearched();
  const more = useMore?.();
  const times = byTime ? readTimes(params, new Date()) : {};
  const isDated = times.from !== undefined || times.to !== undefined;
  // A range of days has only the orders by time.
  const sort = sorts?.find((name) => name === params.get('sort') && (!isDated || name === 'oldest'));
  const query = {
    environment,
    ...chosen,
    ...(search !== undefined && searched),
    ...times,
    ...(sort !== undefined && { sort }),
    ...more,
  } as QueryOf<F, M, S>;
  return { query, more: Object.keys(more ?? {}).length };
}

function emptyWith<T, F extends Filters, M, P, S extends string>(
  { empty, guide }: Options<T, F, M, P, S>,
  environment: Environment,
  addButton: ReactNode,
): Empty {
  const given = typeof empty === 'function' ? empty(environment) : empty;
  if (guide === undefined) return { action: addButton, ...given };
  const action = (
    <Row>
      {addButton}
      <ButtonAnchor href={guide}>Read the documentation</ButtonAnchor>
    </Row>
  );
  return { action, ...given };
}
