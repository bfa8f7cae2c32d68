import type { OidcClient } from '@svc/sdk';
import type { ReactNode } from 'react';
import { ButtonAnchor } from '../../ui/forms/button';
import { Row } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { CLIENTS, svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { recordIn } from '../paths';
import { TYPES, textOfRedirects } from './labels';

/** Lists identify their rows by `id`. */
type Listed = OidcClient & { readonly id: string };

export function ClientList({ add }: { /** The button that adds one. */ readonly add: ReactNode }) {
  const environment = useEnvironment();
  const list = useList<Listed>([...CLIENTS, environment, 'list'], async (cursor, signal) => {
    const query = { environment, cursor, limit: 100 };
    const { clients, nextCursor } = await svc.request('consoleListOidcClients', { query }, { signal });
    return { items: clients.map((client) => ({ ...client, id: client.clientId })), nextCursor };
  });
  return (
    <RecordList
      name="Applications"
      query={list}
      columns={COLUMNS}
      addressOf={({ id }) => recordIn(environment, 'applications', id)}
      empty={{
        title: 'No applications yet',
        text: 'Any software that speaks OpenID Connect signs people in with their phone: your own, or products such as Grafana, GitLab and Nextcloud. Add it here and copy its settings.',
        action: (
          <Row>
            {add}
            <ButtonAnchor href="/docs/openid-provider">Read the documentation</ButtonAnchor>
          </Row>
        ),
      }}
    />
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  { name: 'Name', cell: ({ name }) => <Text of={name} /> },
  { name: 'Type', cell: ({ type }) => TYPES[type].name },
  {
    name: 'Redirect host',
    cell: ({ redirectUris }) => textOfRedirects(redirectUris) ?? <Absent />,
  },
  { name: 'Created', short: true, minor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];
