import type { OidcClient } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Panel } from '../../ui/layout/panel';
import { Badge, Notice } from '../../ui/layout/surface';
import { Clock, Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';
import { ClientFacts } from './client-facts';
import { RotateClientSecret } from './client-secret';
import style from './clients.module.css';
import { DeleteClient } from './delete-client';
import { EditClient } from './edit-client';
import { hasSecret, TYPES } from './labels';
import { ProductSettings } from './product-settings';

type Task = 'edit' | 'rotate' | 'delete';

/** An application, what can be done with it, and the settings of products that use it. */
export function ClientRecord() {
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const found = useRecord({
    kind: 'Application',
    page: 'applications',
    operation: 'consoleGetOidcClient',
    input: (clientId) => ({ path: { clientId } }),
    pick: ({ client }) => client,
  });
  const dialogs: Readonly<Record<Task, (client: OidcClient) => ReactNode>> = {
    edit: (client) => <EditClient client={client} onClose={close} />,
    rotate: (client) => <RotateClientSecret client={client} onClose={close} />,
    delete: (client) => <DeleteClient client={client} onClose={close} />,
  };
  return (
    <RecordFrame
      of={found}
      title={({ name }) => name}
      about={({ type }) => <Badge>{TYPES[type].name}</Badge>}
      actions={(client) => (
        <Needs least="developer">
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
        </Needs>
      )}
    >
      {(client) => (
        <>
          <OldSecret until={client.previousSecretUntil} />
          <ClientFacts client={client} />
          {client.type === 'web' && (
            <section className={style.section} aria-labelledby="settings">
              <h2 id="settings">Settings for products</h2>
              <ProductSettings client={client} />
            </section>
          )}
          <Panel title="Audit log">
            <RelatedEntries about={[client.clientId]} />
          </Panel>
          {task && dialogs[task](client)}
        </>
      )}
    </RecordFrame>
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
