import { ButtonLink } from '../../ui/forms/button-link';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { type ListedUser, useRecords } from '../api';
import { Export } from '../download';
import { pageIn } from '../paths';
import { useListQuery } from '../records/list-query';
import { LISTS } from '../records/lists';
import { RecordsPage } from '../records/records-page';
import { STATUS, UserStatus } from './user-status';

const FILTERS = { status: { label: 'Status', options: STATUS } } as const;

export function People() {
  const query = useListQuery(FILTERS);
  return (
    <RecordsPage
      title="People"
      page="users"
      actions={<Export list="users" query={query} />}
      filters={<FilterBar filters={FILTERS} search="Name, e-mail or external ID" byTime />}
      list={useRecords(LISTS.users(query))}
      columns={COLUMNS}
      empty={emptyOf(query, {
        title: 'No people yet',
        text: 'People appear here when they register with their phone or when you add them through the API.',
        action: <ButtonLink to={pageIn(query.environment, 'registrations')}>Register a person</ButtonLink>,
      })}
    />
  );
}

const COLUMNS: readonly Column<ListedUser>[] = [
  { name: 'Name', cell: (user) => <Text of={user.fullName} /> },
  { name: 'E-mail', cell: (user) => <Text of={user.email} /> },
  { name: 'External ID', minor: true, cell: (user) => <Text of={user.externalId} /> },
  { name: 'Added', short: true, sorts: true, cell: (user) => <Time at={user.createdAt} /> },
  { name: 'Status', short: true, minor: true, cell: (user) => <UserStatus of={user.status} /> },
];
