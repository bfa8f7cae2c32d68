import type { Site } from '@svc/sdk';
import { Building2, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { Text } from '../../../ui/lists/value';
import { pages } from '../../operations/operation';
import { type ListColumn, listOf } from '../../records/lists/list-of';
import { inLanguage } from '../language/in-language';
import { t } from '../language/strings';
import { countryName } from './countries';
import { EditSite } from './edit-site';
import { NewSite } from './new-site';
import { fromTexts } from './site-fields';

/** The places of work. The first one turns working time on. */
const makeList = () =>
  listOf({
    title: t.sites.title,
    read: ({ environment }) => pages('listSites', { query: { environment } }),
    useParts: () => {
      const [edited, edit] = useState<Site>();
      return {
        columns: columnsOf(edit),
        dialog: edited && <EditSite site={edited} onClose={() => edit(undefined)} />,
      };
    },
    add: { name: t.sites.add, icon: Building2, role: 'owner', Dialog: NewSite },
    empty: { title: t.off.title, text: t.off.text },
  });

export const openSites = () => inLanguage(makeList);

const columnsOf = (edit: (site: Site) => void): readonly ListColumn<Site>[] => [
  { name: t.sites.columns.name, cell: ({ name }) => <Text of={name} /> },
  { name: t.sites.columns.country, narrow: 'fact', cell: ({ country }) => countryName(country) },
  { name: t.sites.columns.zone, minor: true, cell: ({ timeZone }) => timeZone.replaceAll('_', ' ') },
  {
    name: t.sites.columns.from,
    narrow: 'state',
    cell: ({ attendanceFrom }) => fromTexts()[attendanceFrom].name,
  },
  {
    name: t.sites.columns.kept,
    minor: true,
    short: true,
    cell: ({ retentionMonths: months }) => t.sites.months(months),
  },
  {
    name: t.sites.columns.actions,
    short: true,
    role: 'owner',
    narrow: 'actions',
    cell: (site) => (
      <Button look="quiet" small aria-label={t.sites.edit(site.name)} onClick={() => edit(site)}>
        <Pencil size={16} aria-hidden="true" />
      </Button>
    ),
  },
];
