import type { RegistrationSession } from '@svc/sdk';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { StatusTag } from '../../ui/layout/surface';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar, useFilters } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { REGISTRATIONS, svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { RecordsPage } from '../records/records-page';
import { nameOf, STATES, type State } from './ceremony';
import { NewRegistration } from './new-registration';

export function Registrations() {
  const query = { environment: useEnvironment(), ...useFilters(FILTERS) };
  const list = useList([...REGISTRATIONS, query.environment, query], async (cursor, signal) => {
    const page = await svc.request('consoleListRegistrations', { query: { ...query, cursor } }, { signal });
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
    <RecordsPage
      title="Registrations"
      page="registrations"
      actions={open}
      filters={<FilterBar filters={FILTERS} />}
      list={list}
      columns={COLUMNS}
      empty={emptyOf(query, {
        title: 'No registrations yet',
        text: 'A registration creates an identity on a person’s phone in three steps, within half an hour. Start one and let the person scan its code.',
        action: open,
      })}
    >
      {opening && <NewRegistration onClose={() => setOpening(false)} />}
    </RecordsPage>
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
  { name: 'Person', cell: (session) => <Text of={nameOf(session)} /> },
  { name: 'External ID', minor: true, cell: ({ profile }) => String(profile?.externalId ?? '–') },
  { name: 'Created', short: true, cell: (session) => <Time at={session.created_at} /> },
  {
    name: 'State',
    short: true,
    cell: ({ state }) => {
      const [name, tone] = STATES[state];
      return <StatusTag tone={tone}>{name}</StatusTag>;
    },
  },
];
