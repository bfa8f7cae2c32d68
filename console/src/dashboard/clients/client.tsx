import { isSvcError, type OidcClient } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Failure, messageOf } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ButtonLink } from '../../ui/forms/button-link';
import { Menu } from '../../ui/forms/menu';
import { Badge, Card, Notice, Page, Row } from '../../ui/layout/surface';
import { Clock, Time } from '../../ui/lists/time';
import { CLIENTS, svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { useEnvironment } from '../environment';
import { pageIn } from '../paths';
import page from '../records/record-page.module.css';
import { ClientFacts } from './client-facts';
import { RotateClientSecret } from './client-secret';
import style from './clients.module.css';
import { DeleteClient } from './delete-client';
import { EditClient } from './edit-client';
import { hasSecret, TYPES } from './labels';
import { ProductSettings } from './product-settings';

const isNotFound = (error: unknown): boolean => isSvcError(error) && error.status === 404;

/** An application, what can be done with it, and the settings of products that use it. */
export function ClientRecord() {
  const environment = useEnvironment();
  const { id: clientId = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...CLIENTS, environment, 'one', clientId],
    queryFn: async ({ signal }) => {
      const request = { path: { clientId }, query: { environment } };
      return (await svc.request('consoleGetOidcClient', request, { signal })).client;
    },
  });
  const isMissing = isNotFound(error);
  if (data !== undefined && !isMissing) return <Shown key={clientId} client={data} lost={error} />;
  return (
    <Page title="Application">
      {isMissing ? (
        <p>
          This {environment} application does not exist. It may have been deleted, or belong to the other
          environment or to another account.
        </p>
      ) : (
        error && <Failure error={error} onRetry={() => void refetch()} />
      )}
      <Row>
        <ButtonLink to={pageIn(environment, 'applications')}>All applications</ButtonLink>
      </Row>
    </Page>
  );
}

type Task = 'edit' | 'rotate' | 'delete';

function Shown({ client, lost }: { readonly client: OidcClient; readonly lost: unknown }) {
  const environment = useEnvironment();
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const dialogs: Readonly<Record<Task, ReactNode>> = {
    edit: <EditClient client={client} onClose={close} />,
    rotate: <RotateClientSecret client={client} onClose={close} />,
    delete: <DeleteClient client={client} onClose={close} />,
  };
  return (
    <Page
      title={client.name}
      about={
        <span className={page.head}>
          <Badge>{TYPES[client.type].name}</Badge>
          <Link to={pageIn(environment, 'applications')}>All applications</Link>
        </span>
      }
      actions={
        <>
          <Button onClick={() => setTask('edit')}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          <Menu
            label="More actions"
            items={[
              ...(hasSecret(client)
                ? [{ name: 'Rotate the secret', onSelect: () => setTask('rotate') }]
                : []),
              { name: 'Delete', danger: true, onSelect: () => setTask('delete') },
            ]}
          />
        </>
      }
    >
      {lost != null && <Notice tone="warn">This may be out of date: {messageOf(lost)}</Notice>}
      <OldSecret until={client.previousSecretUntil} />
      <ClientFacts client={client} />
      {client.type === 'web' && (
        <section className={style.section} aria-labelledby="settings">
          <h2 id="settings">Settings for products</h2>
          <ProductSettings client={client} />
        </section>
      )}
      <Card title="Audit log">
        <RelatedEntries entityId={client.clientId} />
      </Card>
      {task && dialogs[task]}
    </Page>
  );
}

function OldSecret({ until }: { readonly until: string | null }) {
  const now = useContext(Clock);
  if (until === null || Date.parse(until) <= now()) return null;
  return (
    <Notice>
      The old secret also works until <Time at={until} />. Replace it in the application by then.
    </Notice>
  );
}
