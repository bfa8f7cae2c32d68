import { Plus } from 'lucide-react';
import { Time } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { svc } from '../operations/api';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { TYPES, textOfRedirects } from './labels';
import { NewClient } from './new-client';

/** The environment’s OpenID clients, which the pages call applications. */
export const Applications = listOf({
  title: 'Applications',
  records: 'applications',
  read: ({ environment }) => {
    const query = { environment, limit: 100 };
    return pages('consoleListOidcClients', { query }, async (cursor, signal) => {
      const request = { query: { ...query, cursor } };
      const { clients, nextCursor } = await svc.request('consoleListOidcClients', request, { signal });
      // Lists identify their rows by `id`.
      return { items: clients.map((client) => ({ ...client, id: client.clientId })), nextCursor };
    });
  },
  columns: [
    { name: 'Name', cell: ({ name }) => <Text of={name} /> },
    { name: 'Type', narrow: 'state', cell: ({ type }) => TYPES[type].name },
    {
      name: 'Redirect host',
      narrow: 'fact',
      cell: ({ redirectUris }) => textOfRedirects(redirectUris) ?? <Absent />,
    },
    {
      name: 'Created',
      short: true,
      minor: true,
      narrow: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  add: { name: 'Add an application', icon: Plus, Dialog: NewClient },
  empty: {
    title: 'No applications yet',
    text: 'Any software that speaks OpenID Connect signs people in with their phone: your own, or products such as Grafana, GitLab and Nextcloud. Add it here and copy its settings.',
  },
  guide: '/docs/openid-provider',
});
