import { BY_NAME, BY_TIME } from '../../ui/lists/column';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { PersonName } from '../nouns/person/person-name';
import { listOf } from '../records/lists/list-of';
import { LISTS } from '../records/lists/lists';
import { RegisterPerson } from '../registrations/registrations';
import { ImportPeople } from './import/import-people';
import { knownNameOf } from './known-name';
import { STATUS, UserStatus } from './user-status';

export const People = listOf({
  title: 'People',
  records: 'users',
  filters: { status: { label: 'Status', options: STATUS } },
  search: 'Name, e-mail or external ID',
  byTime: true,
  sorts: ['oldest', 'name', '-name'],
  csv: 'users',
  read: LISTS.users,
  useParts: () => ({ actions: <ImportPeople /> }),
  columns: [
    { name: 'Name', sorts: BY_NAME, cell: (user) => <PersonName of={knownNameOf(user)} /> },
    { name: 'E-mail', narrow: 'fact', cell: (user) => <Text of={user.email} /> },
    { name: 'External ID', minor: true, cell: (user) => <Text of={user.externalId} /> },
    { name: 'Status', short: true, narrow: 'state', cell: (user) => <UserStatus of={user} /> },
    {
      name: 'Added',
      short: true,
      narrow: 'time',
      sorts: BY_TIME,
      cell: (user) => <Time at={user.createdAt} exact />,
    },
  ],
  empty: {
    title: 'No people yet',
    text: 'People appear here when they register with their phone, or when you add them from a file or through the API.',
    action: <RegisterPerson />,
  },
});
