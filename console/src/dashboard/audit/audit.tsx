import type { AuditEvent } from '@svc/sdk';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Page, StatusTag } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { AUDIT, svc, useList } from '../api';
import { Download } from '../download';
import { useEnvironment } from '../environment';
import { ChainCheck } from './chain-check';
import { EventDetail } from './event-detail';
import { Filters, readFilter } from './filters';

export function Audit() {
  const environment = useEnvironment();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const events = useList([...AUDIT, environment, filter], async (cursor, signal) => {
    const page = await svc.console
      .audit(environment)
      .list({ ...filter, cursor }, { signal })
      .first();
    return { items: page.audit, nextCursor: page.nextCursor };
  });
  const [shown, setShown] = useState<AuditEvent>();
  const filtered = filter.action !== undefined || filter.status !== undefined;
  return (
    <Page
      title="Audit log"
      about="Every change adds an entry that contains the hash of the previous one. Entries identify records, never people."
      actions={
        <Download href={`/api/console/audit/export?environment=${environment}`}>
          Download the audit log
        </Download>
      }
    >
      <ChainCheck />
      <Filters filter={filter} onChange={(to) => setSearch(to)} />
      <RecordList
        name="Audit events"
        query={events}
        columns={columns(setShown)}
        empty={
          filtered
            ? { title: 'No matching events', text: 'No event matches the filters.' }
            : { title: 'No events yet', text: 'The first change in this environment will appear here.' }
        }
      />
      {shown && (
        <EventDetail
          event={shown}
          onFilter={() => {
            setSearch({ action: shown.action });
            setShown(undefined);
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  );
}

const columns = (show: (event: AuditEvent) => void): readonly Column<AuditEvent>[] => [
  { name: 'Entry', cell: (event) => event.seq },
  { name: 'When', cell: (event) => <Time at={event.createdAt} /> },
  {
    name: 'What',
    cell: (event) => (
      <>
        {event.summary}
        <br />
        <code>{event.action}</code>
      </>
    ),
  },
  { name: 'By', cell: (event) => event.actorType.replaceAll('_', ' ') },
  {
    name: 'Outcome',
    cell: ({ status }) => <StatusTag tone={status === 'success' ? 'good' : 'bad'}>{status}</StatusTag>,
  },
  {
    name: 'Detail',
    cell: (event) => (
      <Button small aria-label={`Show entry ${event.seq}`} onClick={() => show(event)}>
        Show
      </Button>
    ),
  },
];
