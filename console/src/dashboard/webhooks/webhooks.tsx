import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Segments } from '../../ui/layout/segments';
import { Page, Row } from '../../ui/layout/surface';
import { LiveEvents } from '../events/live-events';
import { NewWebhook } from './form/new-webhook';
import { WebhookList } from './webhook-list';

const VIEWS = { webhooks: 'Webhooks', events: 'Live events' } as const;

/** The webhooks of the environment, or its events as they happen. */
export function Webhooks() {
  const [search] = useSearchParams();
  const view = search.get('view') === 'events' ? 'events' : 'webhooks';
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden="true" />
      Add a webhook
    </Button>
  );
  return (
    <Page
      title="Events and webhooks"
      actions={
        <Row>
          <Segments label="View" name="view" options={VIEWS} chosen={view} />
          {add}
        </Row>
      }
    >
      {view === 'events' ? <LiveEvents /> : <WebhookList add={add} />}
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
    </Page>
  );
}
