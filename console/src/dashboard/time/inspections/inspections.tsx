import type { Inspection, Site } from '@svc/sdk';
import { useState } from 'react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Loaded } from '../../../ui/lists/loaded';
import { Time } from '../../../ui/lists/time';
import { svc } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { pages, usePages } from '../../operations/operation';
import { confirmOf } from '../../records/confirm-of';
import { nameOfMonth } from '../parts/months';
import { Member } from '../parts/person';
import style from './inspections.module.css';
import { loadTexts, t } from './language/strings';
import { NewInspection } from './new-inspection';

const PAGE_SIZE = 10;

/** The panel, once its texts are loaded. */
export async function loadInspections(): Promise<typeof Inspections> {
  await loadTexts();
  return Inspections;
}

/** Links by which somebody without an account reads the hours of a site. */
function Inspections({ site, month }: { readonly site: Site; readonly month: string }) {
  const environment = useEnvironment();
  const [isAdding, setAdding] = useState(false);
  const [ended, end] = useState<Inspection>();
  const query = { environment, siteId: site.id, limit: PAGE_SIZE };
  const list = usePages<Inspection>(pages('listInspections', { query }));
  const { error, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <Panel
      title={t.title}
      aside={
        <Button small onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      }
    >
      <p>{t.about}</p>
      <Loaded name={t.what} query={list}>
        {({ pages: [first, ...others] }) => {
          const inspections = [...(first?.items ?? []), ...others.flatMap(({ items }) => items)];
          return inspections.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <ul className={style.list} aria-label={t.title}>
              {inspections.map((inspection) => (
                <Row key={inspection.id} of={inspection} onEnd={() => end(inspection)} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {error && list.data && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && !error && (
        <div>
          <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
      {isAdding && <NewInspection site={site} month={month} onClose={() => setAdding(false)} />}
      {ended && <EndInspection inspection={ended} onClose={() => end(undefined)} />}
    </Panel>
  );
}

const periodOf = ({ from, to }: Pick<Inspection, 'from' | 'to'>): string =>
  from === to ? nameOfMonth(from) : `${nameOfMonth(from)} – ${nameOfMonth(to)}`;

function Row({ of, onEnd }: { readonly of: Inspection; readonly onEnd: () => void }) {
  const { createdBy, createdAt, looks } = of;
  const when = <Time at={createdAt} />;
  return (
    <li>
      <div>
        <strong>{periodOf(of)}</strong>
        <p>
          <State of={of} /> {t.looks(looks)}
        </p>
        <small>{createdBy === null ? t.madeWithKey(when) : t.madeBy(<Member id={createdBy} />, when)}</small>
      </div>
      {isOpen(of) && (
        <Button small look="quiet" aria-label={t.endOf(periodOf(of))} onClick={onEnd}>
          {t.end}
        </Button>
      )}
    </li>
  );
}

const isOpen = ({ revokedAt, expiresAt }: Inspection): boolean =>
  revokedAt === null && Date.parse(expiresAt) > svc.serverNow();

function State({ of }: { readonly of: Inspection }) {
  if (of.revokedAt !== null) return t.ended(<Time at={of.revokedAt} />);
  const when = <Time at={of.expiresAt} />;
  return isOpen(of) ? t.until(when) : t.over(when);
}

const EndInspection = confirmOf({
  operation: 'revokeInspection',
  input: ({ inspection }: { readonly inspection: Inspection }) => ({ path: { id: inspection.id } }),
  title: ({ inspection }) => t.ending.title(periodOf(inspection)),
  action: () => t.ending.action,
  done: () => t.ending.done,
  text: () => t.ending.text,
});
