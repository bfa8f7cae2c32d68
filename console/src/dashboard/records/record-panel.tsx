import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ButtonLink } from '../../ui/forms/button-link';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import { useListed } from './listed-records';
import style from './record-panel.module.css';

/** One record beside its list. Escape closes it, unless a dialog or menu is open. */
export function RecordPanel({
  kind,
  title,
  about,
  actions,
  children,
}: {
  /** What the record is, for example Person. */
  readonly kind: string;
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { id = '' } = useParams();
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.title;
    document.title = heading.current?.textContent || kind;
    return () => {
      document.title = before;
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record takes the focus too
  useEffect(() => panel.current?.focus(), [id]);
  return (
    <section ref={panel} className={style.panel} id="record" tabIndex={-1} aria-labelledby="record-title">
      <Bar kind={kind} id={id} />
      <header className={style.head}>
        {/* Where the record takes the place of its list, this is the page’s only heading of the first level. */}
        <h1 id="record-title" ref={heading}>
          {title}
        </h1>
        {about && <p>{about}</p>}
        {actions && <div className={style.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

function Bar({ kind, id }: { readonly kind: string; readonly id: string }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { page, keys } = useListed();
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
