import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Page } from '../../ui/layout/surface';
import { ClientList } from './client-list';
import { NewClient } from './new-client';

/** The environment’s OpenID clients, which the pages call applications. */
export function Applications() {
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden="true" />
      Add an application
    </Button>
  );
  return (
    <Page title="Applications" actions={add}>
      <ClientList add={add} />
      {adding && <NewClient onClose={() => setAdding(false)} />}
    </Page>
  );
}
