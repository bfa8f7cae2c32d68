import type { Operations } from '@svc/sdk';
import { StatusTag } from '../../ui/layout/surface';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar, FilterChip, useChange } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Id } from '../../ui/lists/value';
import { AUDIT, svc, useList } from '../api';
import { Download } from '../download';
import { useListQuery } from '../records/list-query';
import { RecordsPage } from '../records/records-page';
import { ActionField, useEntryFilter } from './action-field';
import { ChainCheck } from './chain-check';

export type ListedEntry = Operations['consoleListAuditEvents']['reply']['audit'][number];

const FILTERS = {
  status: { label: 'Outcome', options: { success: 'Success', failure: 'Failure' } },
} as const;

export function Audit() {
  const query = { ...useListQuery(FILTERS), ...useEntryFilter() };
  const { q: _, ...filter } = query;
  const change = useChange();
  const entries = useList([...AUDIT, query.environment, filter], async (cursor, signal) => {
    const { audit: items, ...page } = await svc.request(
      'consoleListAuditEvents',
      { query: { ...filter, cursor } },
      { signal },
    );
    return { items, ...page };
  });
  return (
    <RecordsPage
      title="Audit log"
      name="Audit entries"
      page="audit"
      actions={
        <Download href={`/api/console/audit/export?environment=${query.environment}`}>
          Download the audit log
        </Download>
      }
      filters={
        <FilterBar filters={FILTERS} byTime>
          <ActionField />
          {filter.entityId && (
            <FilterChip name="Record" onRemove={() => change('entityId', '')}>
              <Id of={filter.entityId} short />
            </FilterChip>
          )}
        </FilterBar>
      }
      list={entries}
      columns={COLUMNS}
      keyOf={({ seq }) => String(seq)}
      empty={emptyOf(filter, {
        title: 'No entries yet',
        text: 'Every change adds an entry that contains the hash of the previous one. Entries identify records, never people.',
      })}
    >
      <ChainCheck />
    </RecordsPage>
  );
}

const COLUMNS: readonly Column<ListedEntry>[] = [
  { name: 'Entry', short: true, cell: (event) => event.seq },
  { name: 'Time', short: true, sorts: true, cell: (event) => <Time at={event.createdAt} /> },
  { name: 'Description', cell: (event) => event.summary },
  { name: 'Action', short: true, minor: true, cell: (event) => <code>{event.action}</code> },
  { name: 'By', short: true, minor: true, cell: (event) => event.actorType.replaceAll('_', ' ') },
  {
    name: 'Outcome',
    short: true,
    cell: ({ status }) => (
      <StatusTag tone={status === 'success' ? 'good' : 'bad'}>
        {status === 'success' ? 'Success' : 'Failed'}
      </StatusTag>
    ),
  },
];
