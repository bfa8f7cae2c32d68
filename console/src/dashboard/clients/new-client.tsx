import { isSvcError } from '@svc/sdk';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useEnvironment } from '../operations/environment';
import type { Reply } from '../operations/operation';
import { useSend } from '../operations/send';
import { accountPage, recordIn } from '../paths';
import { ClientSecret } from './client-secret';
import style from './clients.module.css';
import { ClientForm } from './form/client-form';
import { ProductSettings } from './product-settings';

export function NewClient({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useSend('consoleCreateOidcClient', {
    onSuccess: async ({ client: { clientId }, clientSecret }) => {
      if (clientSecret === undefined) await navigate(recordIn(environment, 'applications', clientId));
    },
  });
  if (create.data?.clientSecret !== undefined)
    return <Added client={create.data.client} secret={create.data.clientSecret} />;
  return (
    <Dialog title="Add an application" busy={create.isPending} onClose={onClose}>
      <ClientForm
        error={create.error}
        failure={create.error && <NotAdded error={create.error} />}
        action="Add the application"
        busy={create.isPending}
        onSend={(body) => create.mutate({ body })}
      />
    </Dialog>
  );
}

const NotAdded = ({ error }: { readonly error: unknown }) =>
  isSvcError(error, 'oidc_client_limit_reached') ? (
    <Notice tone="bad">
      This environment has as many applications as your plan allows. Delete one that you no longer use, or{' '}
      <Link to={accountPage('usage')}>see the limits of your plan</Link>.
    </Notice>
  ) : (
    <Failure error={error} />
  );

/** Opens the application’s page when the secret is stored. */
function Added({
  client: created,
  secret,
}: {
  readonly client: Reply<'consoleCreateOidcClient'>['client'];
  readonly secret: string;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const [client, setClient] = useState(created);
  const open = () => void navigate(recordIn(environment, 'applications', client.clientId));
  return (
    <Dialog title="Application added" onClose={open}>
      <ClientSecret clientId={client.clientId} text={secret} />
      {client.type === 'web' && (
        <section className={style.section} aria-labelledby="settings-with-secret">
          <h3 id="settings-with-secret">Settings with this secret</h3>
          <ProductSettings client={client} secret={secret} onChange={setClient} />
        </section>
      )}
      <DialogActions>
        <Button look="primary" onClick={open}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
