import type { AuditEvent } from '@svc/sdk';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button, ButtonAnchor } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Page, StatusTag } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { AUDIT, svc, useList } from '../api';
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
  // A failed download shows no error, so check first that the session is still valid.
  const checkSession = useSending({ mutationFn: () => svc.console.getAccount() });
  const filtered = filter.action !== undefined || filter.status !== undefined;
  return (
    <Page
      title="Audit log"
      about="Every change adds an entry that contains the hash of the previous one. Entries identify records, never people."
      actions={
        <ButtonAnchor
          href={`/api/console/audit/export?environment=${environment}`}
          download
          onClick={({ nativeEvent, currentTarget: link }) => {
            if (!nativeEvent.isTrusted) return; // The click below.
            nativeEvent.preventDefault();
            checkSession.mutate(undefined, { onSuccess: () => link.click() });
          }}
        >
          Download the audit log
        </ButtonAnchor>
      }
    >
      {checkSession.error && <Failure error={checkSession.error} />}
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
