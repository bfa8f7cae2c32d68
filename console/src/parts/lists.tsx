import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { StatusTag } from '../ui/layout/surface';
import { BY_TIME } from '../ui/lists/column';
import { FilterBar, FilterChip } from '../ui/lists/filters/filters';
import { type Column, type ListPage, RecordList } from '../ui/lists/list';
import { Loaded } from '../ui/lists/loaded';
import { Text } from '../ui/lists/value';
import { OUTAGE } from './failures';
import { Group, Shown } from './shown';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isActive: boolean;
}

const PEOPLE: readonly Person[] = [
  { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', isActive: true },
  { id: '2', name: 'عبد الله بن محمد', email: null, isActive: true },
  {
    id: '3',
    name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
    email: 'w@example.com',
    isActive: false,
  },
];

const COLUMNS: readonly Column<Person>[] = [
  { name: 'Name', cell: ({ name }) => <Text of={name} /> },
  { name: 'E-mail', minor: true, narrow: 'fact', cell: ({ email }) => <Text of={email} /> },
  {
    name: 'Status',
    short: true,
    narrow: 'state',
    cell: ({ isActive }) => (
      <StatusTag tone={isActive ? 'good' : 'warn'}>{isActive ? 'Active' : 'Inactive'}</StatusTag>
    ),
  },
  { name: 'Added', short: true, narrow: 'time', sorts: BY_TIME, at: () => '2026-05-12T09:30:00.000Z' },
];

const STATES: Readonly<Record<string, () => Promise<ListPage<Person>>>> = {
  Loading: () => new Promise(() => {}),
  Failed: () => Promise.reject(OUTAGE),
  Empty: async () => ({ items: [], nextCursor: null }),
  Loaded: async () => ({ items: PEOPLE, nextCursor: null }),
  'With more pages': async () => ({ items: PEOPLE, nextCursor: 'next', total: 10_000, totalIsExact: false }),
};

export function Lists() {
  const waiting = useQuery({ queryKey: ['waiting'], queryFn: () => new Promise<string>(() => {}) });
  return (
    <Group title="Lists">
      <Shown as="Filters">
        <FilterBar
          filters={{ status: { label: 'Status', options: { active: 'Active', inactive: 'Inactive' } } }}
          search="Name, e-mail or external ID"
          byTime
        >
          <FilterChip name="Person" onRemove={() => {}}>
            Ada Lovelace
          </FilterChip>
        </FilterBar>
      </Shown>
      {Object.entries(STATES).map(([name, load]) => (
        <Shown key={name} as={`List: ${name.toLowerCase()}`}>
          <State name={name} load={load} />
        </Shown>
      ))}
      <Shown as="A record that loads">
        <Loaded name="the record" query={waiting}>
          {(text) => text}
        </Loaded>
      </Shown>
    </Group>
  );
}

const State = ({ name, load }: { readonly name: string; readonly load: () => Promise<ListPage<Person>> }) => (
  <RecordList
    name={name}
    query={useInfiniteQuery({
      queryKey: [name],
      queryFn: load,
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    })}
    columns={COLUMNS}
    addressOf={({ id }) => `/${id}`}
    opened={name === 'Loaded' ? '1' : undefined}
    empty={{ title: 'No people yet', text: 'People appear here when they register with their phone.' }}
  />
);
