import { useState } from 'react';
import { ButtonLink } from '../../ui/forms/button';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters, useSearched } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { type ListedUser, svc, useList } from '../api';
import { Export } from '../download';
import { useEnvironment } from '../environment';
import { Person } from './person';
import { STATUS, UserStatus } from './user-status';

const FILTERS = { status: { label: 'Status', options: STATUS } } as const;

export function People() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const query = { environment, ...chosen, ...useSearched() };
  const people = useList(['users', environment, query], async (cursor, signal) => {
    const { users: items, ...page } = await svc.request(
      'consoleListUsers',
      { query: { ...query, cursor } },
      { signal },
    );
    return { items, ...page };
  });
  const [shown, setShown] = useState<ListedUser>();
  return (
    <Page title="People" actions={<Export list="users" query={query} />}>
      <FilterBar filters={FILTERS} search="Name, e-mail or external ID" />
      <RecordList
        name="People"
        query={people}
        columns={columns(setShown)}
        empty={emptyOf(query, {
          title: 'No people yet',
          text: 'People appear here when they register with their phone or when one of your programs adds them.',
          action: <ButtonLink to={`/${environment}/registrations`}>Register a person</ButtonLink>,
        })}
      />
      {shown && <Person user={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const columns = (open: (user: ListedUser) => void): readonly Column<ListedUser>[] => [
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
