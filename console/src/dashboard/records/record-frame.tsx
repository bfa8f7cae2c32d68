import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Failure, messageOf } from '../../ui/failure';
import { ButtonLink } from '../../ui/forms/button-link';
import { Row } from '../../ui/layout/stack';
import { Facts, Notice, Page } from '../../ui/layout/surface';
import { Tabs } from '../../ui/layout/tabs';
import { Text } from '../../ui/lists/value';
import { useEnvironment } from '../operations/environment';
import { pageIn, recordIn } from '../paths';
import { type ListedRecords, useListed } from './lists/listed-records';
import { Raw } from './raw';
import style from './record-frame.module.css';
import type { Found } from './use-record';

/** What is shown of a record. */
interface Shown<T> {
  readonly title: (record: T) => string;
  /** The title with links, in a panel. */
  readonly heading?: (record: T) => ReactNode;
  readonly about?: (record: T) => ReactNode;
  readonly actions?: (record: T) => ReactNode;
  /** Above the facts. */
  readonly notice?: (record: T) => ReactNode;
  readonly facts?: (record: T) => ComponentProps<typeof Facts>['facts'];
  /** Below the facts. */
  readonly tabs?: (record: T) => ComponentProps<typeof Tabs>['tabs'];
  /** Below the tabs. */
  readonly children?: (record: T) => ReactNode;
}

/** A record that is loading, not found, failed or loaded: in a panel beside its list, or as a page of its own. */
export function RecordFrame<T>({
  of,
  title,
  heading,
  about,
  actions,
  notice,
  facts,
  tabs,
  children,
}: Shown<T> & { readonly of: Found<T> }) {
  const listed = useListed();
  const { record, isPolled, error } = of;
  const shown: Filled =
    record === undefined
      ? { children: <Instead of={of} /> }
      : {
          title: title(record),
          heading: heading?.(record),
          about: about?.(record),
          actions: actions?.(record),
          children: (
            <>
              {error != null && (
                <Notice tone="warn">
                  This may be out of date: {messageOf(error)}
                  {isPolled && ' Retrying every few seconds.'}
                </Notice>
              )}
              {notice?.(record)}
              {facts && <Facts facts={facts(record)} />}
              {tabs && <Tabs label={`About this ${of.kind.toLowerCase()}`} tabs={tabs(record)} />}
              {children?.(record)}
              <Raw of={record} label={`${of.kind} as JSON`} />
            </>
          ),
        };
  return listed === undefined ? <OwnPage of={of} {...shown} /> : <Panel of={of} listed={listed} {...shown} />;
}

interface Filled {
  /** Undefined until it is known. */
  readonly title?: string;
  readonly heading?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}
type OfRecord = { readonly of: Found<unknown> };

/** Why there is no record. */
function Instead({ of: { kind, isMissing, error, retry } }: OfRecord) {
  const environment = useEnvironment();
  if (isMissing)
    return (
      <p>
        This {environment} {kind.toLowerCase()} does not exist. It may have been deleted, or belong to the
        other environment or to another account.
      </p>
    );
  return error != null && <Failure error={error} onRetry={retry} />;
}

const problemOf = ({ isMissing, error }: Found<unknown>): string | undefined =>
  isMissing ? 'Not found' : error != null ? 'Could not be loaded' : undefined;

function OwnPage({ of, title, about, actions, children }: Filled & OfRecord) {
  const list = pageIn(useEnvironment(), of.page);
  if (title === undefined)
    return (
      <Page title={problemOf(of) ?? of.kind}>
        {children}
        <Row>
          <ButtonLink to={list}>All {of.page}</ButtonLink>
        </Row>
      </Page>
    );
  return (
    <Page
      title={title}
      about={
        <span className={style.about}>
          {about}
          <Link to={list}>All {of.page}</Link>
        </span>
      }
      actions={actions}
    >
      {children}
    </Page>
  );
}

/** One record beside its list. Escape closes it, unless a dialog or menu is open. */
function Panel({
  of,
  listed,
  title,
  heading,
  about,
  actions,
  children,
}: Filled & OfRecord & { readonly listed: ListedRecords }) {
  const panel = useRef<HTMLElement>(null);
  const h1 = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.title;
    document.title = h1.current?.textContent || of.kind;
    return () => {
      document.title = before;
    };
  });
  // Another record takes the focus too, because each is mounted for itself.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    // Where it takes the place of its list, it begins at the top.
    if (panel.current && getComputedStyle(panel.current).position === 'static') scrollTo(0, 0);
  }, []);
  return (
    <section ref={panel} className={style.panel} id="record" tabIndex={-1} aria-labelledby="record-title">
      <Bar of={of} listed={listed} />
      <header className={style.head}>
        {/* Where the record takes the place of its list, this is the page’s only heading of the first level. */}
        <h1 id="record-title" ref={h1}>
          {title === undefined
            ? (problemOf(of) ?? <span className={style.skeleton} />)
            : (heading ?? <Text of={title} />)}
        </h1>
        {about && <p>{about}</p>}
        {actions && <div className={style.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

function Bar({ of: { kind, id }, listed: { page, keys } }: OfRecord & { readonly listed: ListedRecords }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { search } = useLocation();
  const list = { pathname: pageIn(environment, page), search };
  const at = keys.indexOf(id);
  const neighbours = [
    ['Previous record', keys[at - 1], ChevronUp],
    ['Next record', at < 0 ? undefined : keys[at + 1], ChevronDown],
  ] as const;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address identifies the list
  useEffect(() => {
    const close = ({ key, defaultPrevented }: KeyboardEvent) => {
      const isBusy = document.querySelector('dialog[open], [role=menu], [role=listbox]') !== null;
      if (key === 'Escape' && !defaultPrevented && !isBusy) void navigate(list);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [page, search, environment]);
  return (
    <div className={style.bar}>
      <span>{kind}</span>
      {neighbours.map(
        ([name, key, Icon]) =>
          key !== undefined && (
            <ButtonLink
              key={name}
              small
              look="quiet"
              to={{ pathname: recordIn(environment, page, key), search }}
              aria-label={name}
              title={name}
            >
              <Icon size={16} aria-hidden="true" />
            </ButtonLink>
          ),
      )}
      <ButtonLink small look="quiet" to={list} aria-label="Close" title="Close">
        <X size={16} aria-hidden="true" />
      </ButtonLink>
    </div>
  );
}

export const PanelSection = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <section className={style.section}>
    <h2>{title}</h2>
    {children}
  </section>
);
