import type { ConsoleWebhook } from '@svc/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ButtonAnchor } from '../../ui/forms/button';
import { Row } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Ago } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { listOptions, svc, WEBHOOKS } from '../api';
import { useEnvironment } from '../environment';
import { recordIn } from '../paths';
import { textOfPatterns } from './form/patterns';
import { Progress, WebhookStatus } from './webhook-status';
import { WebhookUrl } from './webhook-url';
import style from './webhooks.module.css';

const POLL_INTERVAL_MS = 5_000;

export function WebhookList({ add }: { /** The button that adds one. */ readonly add: ReactNode }) {
  const environment = useEnvironment();
  const list = useInfiniteQuery({
    ...listOptions<ConsoleWebhook>([...WEBHOOKS, environment, 'list'], async (cursor, signal) => {
      const query = { environment, cursor, limit: 100 };
      const { webhooks, nextCursor } = await svc.request('consoleListWebhooks', { query }, { signal });
      return { items: webhooks, nextCursor };
    }),
    refetchInterval: POLL_INTERVAL_MS,
  });
  return (
    <RecordList
      name="Webhooks"
      query={list}
      columns={COLUMNS}
      addressOf={({ id }) => recordIn(environment, 'webhooks', id)}
      empty={{
        title: 'No webhooks yet',
        text: 'A webhook sends each event to your server as soon as it happens, so that you don’t have to poll for changes. Every delivery is signed, and is retried for three days until your server accepts it.',
        action: (
          <Row>
            {add}
            <ButtonAnchor href="/docs/webhooks">Read the documentation</ButtonAnchor>
          </Row>
        ),
      }}
    />
  );
}

const AgoOrNever = ({ at }: { readonly at: string | null }) =>
  at === null ? <Absent text="never" /> : <Ago at={at} />;

const COLUMNS: readonly Column<ConsoleWebhook>[] = [
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
  { name: 'Events', minor: true, cell: ({ events }) => textOfPatterns(events) },
  { name: 'Status', cell: (webhook) => <WebhookStatus of={webhook} /> },
  { name: 'Progress', short: true, cell: (webhook) => <Progress of={webhook} /> },
  { name: 'Last success', short: true, cell: ({ lastSuccessAt }) => <AgoOrNever at={lastSuccessAt} /> },
  { name: 'Last failure', short: true, cell: ({ lastFailureAt }) => <AgoOrNever at={lastFailureAt} /> },
];
