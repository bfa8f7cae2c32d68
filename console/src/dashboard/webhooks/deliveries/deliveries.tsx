import type { ConsoleWebhook, WebhookDelivery } from '@svc/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Badge, StatusTag } from '../../../ui/layout/surface';
import { emptyOf } from '../../../ui/lists/empty';
import { FilterBar, useFilters } from '../../../ui/lists/filters';
import { type Column, RecordList } from '../../../ui/lists/list';
import { Time } from '../../../ui/lists/time';
import { Absent } from '../../../ui/lists/value';
import { type Environment, listOptions, svc, WEBHOOKS } from '../../api';
import { useEnvironment } from '../../environment';
import { recordIn } from '../../paths';
import { RelatedLink } from '../../records/related/related';
import { DELIVERY_STATUSES, responseOf, resultOf, textOfDuration } from '../labels';
import style from '../webhooks.module.css';
import { useReplay } from './send-again';

const FILTERS = { status: { label: 'Status', options: DELIVERY_STATUSES } } as const;
const POLL_INTERVAL_MS = 3_000;
const PAGE_SIZE = 25;

/** The attempts to deliver events, newest first. New ones appear while there is one page. */
export function Deliveries({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { id } = webhook;
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const list = useInfiniteQuery({
    ...listOptions<WebhookDelivery>(
      [...WEBHOOKS, environment, 'deliveries', id, chosen],
      async (cursor, signal) => {
        const { deliveries, nextCursor } = await svc.request(
          'consoleListWebhookDeliveries',
          { path: { id }, query: { environment, ...chosen, cursor, limit: PAGE_SIZE } },
          { signal },
        );
        return { items: deliveries, nextCursor };
      },
    ),
    refetchInterval: ({ state: { data, error } }) =>
      error === null && (data?.pages.length ?? 0) <= 1 ? POLL_INTERVAL_MS : false,
  });
  const replay = useReplay(webhook);
  const sending = replay.isPending ? replay.variables?.deliveryId : undefined;
  return (
    <section className={style.section} aria-labelledby="deliveries">
      <header>
        <h2 id="deliveries">Deliveries</h2>
        <FilterBar filters={FILTERS} />
      </header>
      {replay.error && <Failure error={replay.error} />}
      <RecordList
        name="Deliveries"
        query={list}
        columns={columns(environment, sending, (deliveryId) => replay.mutate({ deliveryId }))}
        empty={emptyOf(chosen, {
          title: 'No deliveries yet',
          text: 'Every attempt of the last 30 days appears here, from the next event on. Send a test event to see the first one.',
        })}
      />
    </section>
  );
}

const columns = (
  environment: Environment,
  sending: string | undefined,
  sendAgain: (deliveryId: string) => void,
): readonly Column<WebhookDelivery>[] => [
  {
    name: 'Event',
    cell: ({ type, seq, replay }) => (
      <>
        {seq === null ? (
          <code>{type}</code>
        ) : (
          <RelatedLink to={recordIn(environment, 'audit', seq)}>
            <code>{type}</code>
          </RelatedLink>
        )}{' '}
        {replay && <Badge>sent again</Badge>}
      </>
    ),
  },
  { name: 'Entry', short: true, minor: true, cell: ({ seq }) => seq ?? <Absent text="no entry" /> },
  {
    name: 'Status',
    short: true,
    cell: (delivery) => {
      const [name, tone] = resultOf(delivery);
      return (
        <>
          <StatusTag tone={tone}>{name}</StatusTag>
          {delivery.nextAttemptAt !== null && (
            <span className={style.next}>
              Next: <Time at={delivery.nextAttemptAt} />
            </span>
          )}
        </>
      );
    },
  },
  { name: 'Response', cell: (delivery) => responseOf(delivery) },
  { name: 'Attempt', short: true, minor: true, cell: ({ attempt }) => attempt },
  { name: 'Duration', short: true, minor: true, cell: ({ durationMs }) => textOfDuration(durationMs) },
  { name: 'Time', short: true, cell: ({ at }) => <Time at={at} exact /> },
  {
    name: 'Actions',
    short: true,
    cell: ({ id, seq, type }) =>
      seq !== null && (
        <Button small look="quiet" busy={sending === id} onClick={() => sendAgain(id)}>
          Send again{' '}
          <span className="visually-hidden">
            {type} {seq}
          </span>
        </Button>
      ),
  },
];
