import { Fragment } from 'react';
import { textOfDay } from '../../ui/dates/days';
import { StatusTag } from '../../ui/layout/surface';
import { BY_TIME } from '../../ui/lists/column';
import { FilterChip, useChange } from '../../ui/lists/filters/filters';
import { Id } from '../../ui/lists/value';
import { Download } from '../download';
import { Needs } from '../nouns/members/needs';
import { type ListedEntry, sentenceOf } from '../nouns/words/pieces';
import { Sentence } from '../nouns/words/sentence';
import { svc } from '../operations/api';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { ActionField, useEntryFilter } from './action-field';
import style from './audit.module.css';
import { ChainCheck } from './chain-check';

/** With a filter, the service searches 10,000 entries for a page. The list goes on that many times, until there is something to show. */
const MAX_SEARCHES = 5;
const ENOUGH = 20;

export const Audit = listOf({
  title: 'Audit log',
  name: 'Audit entries',
  records: 'audit',
  filters: { status: { label: 'Outcome', options: { success: 'Success', failure: 'Failure' } } },
  byTime: true,
  sorts: ['oldest'],
  useMore: useEntryFilter,
  More: EntryFields,
  read: (query) =>
    pages('consoleListAuditEvents', { query }, async (cursor, signal) => {
      const items: ListedEntry[] = [];
      for (let next = cursor, searches = 1; ; searches += 1) {
        const request = { query: { ...query, cursor: next } };
        const { audit, ...page } = await svc.request('consoleListAuditEvents', request, { signal });
        items.push(...audit);
        if (!page.partial || items.length >= ENOUGH || searches === MAX_SEARCHES) return { items, ...page };
        next = page.nextCursor ?? undefined;
      }
    }),
  keyOf: ({ seq }) => String(seq),
  sameAs: ({ status, createdAt, ...event }) =>
    `${textOfDay(new Date(createdAt))} ${status} ${sentenceOf({ status, ...event })}`,
  useParts: ({ environment }) => ({
    actions: <Download href={`/v1/audit/export?environment=${environment}`}>Download the audit log</Download>,
    above: (
      <Needs least="auditor">
        <ChainCheck />
      </Needs>
    ),
  }),
  columns: [
    { name: 'What happened', cell: (event) => <Sentence of={event} plain /> },
    { name: 'Entry', short: true, minor: true, narrow: 'fact', cell: (event) => event.seq },
    {
      name: 'Outcome',
      short: true,
      narrow: 'state',
      cell: ({ status }) =>
        status === 'success' ? (
          <span className={style.usual}>Success</span>
        ) : (
          <StatusTag tone="bad">Failed</StatusTag>
        ),
    },
    { name: 'Time', short: true, narrow: 'time', sorts: BY_TIME, at: ({ createdAt }) => createdAt },
  ],
  empty: {
    title: 'No entries yet',
    text: 'Every change adds an entry that contains the hash of the previous one. Entries identify records by their IDs; names are looked up when you read them.',
  },
});

function EntryFields() {
  const change = useChange();
  const { entityId } = useEntryFilter();
  return (
    <>
      <ActionField />
      {entityId && (
        <FilterChip name="Record" onRemove={() => change('entityId', '')}>
          {entityId.split(',').map((id, at) => (
            <Fragment key={id}>
              {at > 0 && ', '}
              <Id of={id} short />
            </Fragment>
          ))}
        </FilterChip>
      )}
    </>
  );
}
