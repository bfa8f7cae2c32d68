import type { RegistrationSession } from '@svc/sdk';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Page, StatusTag } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters } from '../../ui/lists/filters';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { REGISTRATIONS, svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { nameOf, STATES, type State } from './ceremony';
import { NewRegistration } from './new-registration';

export function Registrations() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const list = useList([...REGISTRATIONS, environment, chosen], async (cursor, signal) => {
    const query = { environment, cursor, ...chosen };
    const page = await svc.request('consoleListRegistrations', { query }, { signal });
    return { items: page.registrations, nextCursor: page.nextCursor };
  });
  const [opening, setOpening] = useState(false);
  const open = (
    <Button look="primary" onClick={() => setOpening(true)}>
      <UserPlus size={18} aria-hidden="true" />
      Register a person
    </Button>
  );
  return (
    <Page
      title="Registrations"
      about="A registration creates an identity on a person’s phone in three steps. It must be completed within half an hour."
      actions={open}
    >
      <FilterBar filters={FILTERS} />
      <RecordList
        name="Registrations"
        query={list}
        columns={COLUMNS}
        empty={emptyOf(chosen, {
          title: 'No registrations yet',
          text: 'Start a registration and let the person scan its code.',
          action: open,
        })}
      />
      {opening && <NewRegistration onClose={() => setOpening(false)} />}
    </Page>
  );
}

const nameOfState = ([state, [name]]: readonly [string, readonly [string, unknown]]) =>
  [state, name] as const;
const FILTERS = {
  state: {
    label: 'State',
    options: Object.fromEntries(Object.entries(STATES).map(nameOfState)) as Record<State, string>,
  },
} as const;

const COLUMNS: readonly Column<RegistrationSession>[] = [
  { name: 'Person', cell: (session) => <Link to={session.id}>{nameOf(session)}</Link> },
  { name: 'External ID', cell: ({ profile }) => String(profile?.externalId ?? '–') },
  { name: 'Opened', cell: (session) => <Time at={session.created_at} /> },
  {
    name: 'State',
    cell: ({ state }) => {
      const [name, tone] = STATES[state];
      return <StatusTag tone={tone}>{name}</StatusTag>;
    },
  },
];
