import type { Site } from '@svc/sdk';
import { Building2, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Text } from '../../../ui/lists/value';
import { pages } from '../../operations/operation';
import { type ListColumn, listOf } from '../../records/lists/list-of';
import { TIME_OFF } from '../parts/time-off';
import { countryName } from './countries';
import { EditSite } from './edit-site';
import { NewSite } from './new-site';
import { FROM } from './site-fields';

/** The places of work. The first one turns working time on. */
export const Sites = listOf({
  title: 'Sites',
  read: ({ environment }) => pages('listSites', { query: { environment } }),
  useParts: () => {
    const [edited, edit] = useState<Site>();
    return {
      columns: columnsOf(edit),
      dialog: edited && <EditSite site={edited} onClose={() => edit(undefined)} />,
    };
  },
  add: { name: 'Add a site', icon: Building2, role: 'owner', Dialog: NewSite },
  empty: TIME_OFF,
});

const columnsOf = (edit: (site: Site) => void): readonly ListColumn<Site>[] => [
  { name: 'Name', cell: ({ name }) => <Text of={name} /> },
  { name: 'Country', narrow: 'fact', cell: ({ country }) => countryName(country) },
  { name: 'Time zone', minor: true, cell: ({ timeZone }) => timeZone.replaceAll('_', ' ') },
  { name: 'People clock in', narrow: 'state', cell: ({ attendanceFrom }) => FROM[attendanceFrom].name },
  {
    name: 'Hours are kept',
    minor: true,
    short: true,
    cell: ({ retentionMonths: months }) => `${months} months`,
  },
  {
    name: 'Actions',
    short: true,
    role: 'owner',
    narrow: 'actions',
    cell: (site) => (
      <Button look="quiet" small aria-label={`Edit ${site.name}`} onClick={() => edit(site)}>
        <Pencil size={16} aria-hidden="true" />
      </Button>
    ),
  },
];
