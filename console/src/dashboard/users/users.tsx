import type { User } from '@svc/sdk';
import { useState } from 'react';
import { ButtonLink } from '../../ui/forms/button';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { Person } from './person';
import { STATUS, UserStatus } from './user-status';

const FILTERS = { status: { label: 'Status', options: STATUS } } as const;

export function People() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const people = useList(['users', environment, chosen], async (cursor, signal) => {
    const query = { environment, ...chosen, cursor };
    const { users, nextCursor } = await svc.request('consoleListUsers', { query }, { signal });
    return { items: users, nextCursor };
  });
  const [shown, setShown] = useState<User>();
  return (
    <Page title="People">
      <FilterBar filters={FILTERS} />
      <RecordList
        name="People"
        query={people}
        columns={columns(setShown)}
        empty={emptyOf(chosen, {
          title: 'No people yet',
          text: 'People appear here when they register with their phone or when one of your programs adds them.',
          action: <ButtonLink to={`/${environment}/registrations`}>Register a person</ButtonLink>,
        })}
      />
      {shown && <Person user={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const columns = (open: (user: User) => void): readonly Column<User>[] => [
  {
    name: 'Name',
    cell: (user) => (
      <Opener onOpen={() => open(user)}>
        <Text of={user.fullName} />
      </Opener>
    ),
  },
  { name: 'E-mail', cell: (user) => <Text of={user.email} /> },
  { name: 'External ID', cell: (user) => <Text of={user.externalId} /> },
  { name: 'Added', short: true, cell: (user) => <Time at={user.createdAt} /> },
  { name: 'Status', short: true, cell: (user) => <UserStatus of={user.status} /> },
];
