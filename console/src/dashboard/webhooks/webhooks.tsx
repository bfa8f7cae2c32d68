import { Plus } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { Segments } from '../../ui/layout/segments';
import { Ago } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { LiveEvents } from '../events/events';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { NewWebhook } from './form/new-webhook';
import { textOfPatterns } from './form/patterns';
import { Progress, WebhookStatus } from './webhook-status';
import { WebhookUrl } from './webhook-url';
import style from './webhooks.module.css';

const POLL_INTERVAL_MS = 5_000;
const VIEWS = { webhooks: 'Webhooks', events: 'Live events' } as const;

const AgoOrNever = ({ at }: { readonly at: string | null }) =>
  at === null ? <Absent text="never" /> : <Ago at={at} />;

/** The webhooks of the environment, or its events as they happen. */
export const Webhooks = listOf({
  title: 'Events and webhooks',
  name: 'Webhooks',
  records: 'webhooks',
  pollMs: () => POLL_INTERVAL_MS,
  read: ({ environment }) => pages('listWebhooks', { query: { environment, limit: 100 } }),
  useParts: () => {
    const [search] = useSearchParams();
    const view = search.get('view') === 'events' ? 'events' : 'webhooks';
    return {
      actions: <Segments label="View" name="view" options={VIEWS} chosen={view} />,
      ...(view === 'events' && { instead: <LiveEvents /> }),
    };
  },
  columns: [
    {
      name: 'URL',
      cell: ({ url, description }) => (
        <>
          <WebhookUrl of={url} brief />
          {description !== null && (
            <span className={style.about}>
              <Text of={description} />
            </span>
          )}
        </>
      ),
    },
    { name: 'Events', minor: true, narrow: 'fact', cell: ({ events }) => textOfPatterns(events) },
    { name: 'Status', narrow: 'state', cell: (webhook) => <WebhookStatus of={webhook} /> },
    { name: 'Progress', short: true, cell: (webhook) => <Progress of={webhook} /> },
    { name: 'Last failure', short: true, cell: ({ lastFailureAt }) => <AgoOrNever at={lastFailureAt} /> },
    {
      name: 'Last success',
      short: true,
      narrow: 'time',
      cell: ({ lastSuccessAt }) => <AgoOrNever at={lastSuccessAt} />,
    },
  ],
  add: { name: 'Add a webhook', icon: Plus, Dialog: NewWebhook },
  empty: {
    title: 'No webhooks yet',
    text: 'A webhook sends each event to your server as soon as it happens, so that you don’t have to poll for changes. Every delivery is signed, and is retried for three days until your server accepts it.',
  },
  guide: '/docs/webhooks',
});
