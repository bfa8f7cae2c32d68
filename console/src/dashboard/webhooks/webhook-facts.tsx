import type { Webhook } from '@svc/sdk';
import { CopyIcon } from '../../ui/forms/copy';
import { Panel } from '../../ui/layout/panel';
import { Grid } from '../../ui/layout/stack';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { CopyId } from '../nouns/reference';
import page from '../records/record-page.module.css';
import { OUTCOMES } from './labels';
import { Progress } from './webhook-status';
import { WebhookUrl } from './webhook-url';
import style from './webhooks.module.css';

export const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => (
  <Grid>
    <Panel title="Settings">
      <Facts
        facts={{
          URL: (
            <span className={page.copy}>
              <WebhookUrl of={webhook.url} />
              <CopyIcon text={webhook.url} label="Copy the URL" />
            </span>
          ),
          Events: <Patterns of={webhook.events} />,
          Outcome: OUTCOMES[webhook.outcome],
          Order: webhook.ordered ? 'Strictly in order' : 'Mostly in order',
          ...(webhook.description !== null && { Description: <Text of={webhook.description} /> }),
          Created: <Time at={webhook.createdAt} />,
          ID: <CopyId of={webhook.id} />,
        }}
      />
    </Panel>
    <Panel title="State">
      <Facts
        facts={{
          Progress: <Progress of={webhook} />,
          'Last success': <Time at={webhook.lastSuccessAt} exact />,
          'Last failure': <Time at={webhook.lastFailureAt} exact />,
          'Public key': (
            <span className={page.copy}>
              <code>{webhook.publicKey}</code>
              <CopyIcon text={webhook.publicKey} label="Copy the public key" />
            </span>
          ),
        }}
      />
    </Panel>
  </Grid>
);

const Patterns = ({ of }: { readonly of: Webhook['events'] }) =>
  of.includes('*') ? (
    'All events'
  ) : (
    <span className={style.patterns}>
      {of.map((pattern) => (
        <code key={pattern}>{pattern}</code>
      ))}
    </span>
  );
