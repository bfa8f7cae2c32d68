import { UserPlus } from 'lucide-react';
import { StatusTag } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { Needs } from '../nouns/members/needs';
import { PersonName } from '../nouns/person/person-name';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { useReferences } from '../records/lists/list-query';
import { ReferenceFilters } from '../records/lists/reference-filters';
import { externalIdOf, givenNameOf, STATES, type State } from './ceremony';
import { RegistrationFunnel } from './funnel';
import { NewRegistration } from './new-registration';

const NAMES = Object.fromEntries(Object.entries(STATES).map(([state, [name]]) => [state, name])) as Record<
  State,
  string
>;

export const Registrations = listOf({
  title: 'Registrations',
  records: 'registrations',
  filters: { state: { label: 'State', options: NAMES } },
  useMore: useReferences,
  More: ReferenceFilters,
  read: (query) => pages('listRegistrations', { query: { ...query, include: 'names' } }),
  useParts: () => ({
    above: (
      <Needs least="auditor">
        <RegistrationFunnel />
      </Needs>
    ),
  }),
  columns: [
    { name: 'Person', cell: (session) => <PersonName of={givenNameOf(session)} /> },
    {
      name: 'External ID',
      minor: true,
      narrow: 'fact',
      cell: (session) => <Text of={externalIdOf(session)} />,
    },
    {
      name: 'State',
      short: true,
      narrow: 'state',
      cell: ({ state }) => {
        const [name, tone] = STATES[state];
        return <StatusTag tone={tone}>{name}</StatusTag>;
      },
    },
    { name: 'Created', short: true, narrow: 'time', at: ({ created_at }) => created_at },
  ],
  add: { name: 'Register a person', icon: UserPlus, role: 'reception', Dialog: NewRegistration },
  empty: {
    title: 'No registrations yet',
    text: 'A registration creates an identity on a person’s phone in three steps, within half an hour. Start one and let the person scan its code.',
  },
});
