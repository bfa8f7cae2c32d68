import type { Webhook, WebhookDelivery } from '@svc/sdk';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Badge, StatusTag } from '../../../ui/layout/surface';
import { Time } from '../../../ui/lists/time';
import { Absent } from '../../../ui/lists/value';
import type { Environment } from '../../operations/api';
import { pages } from '../../operations/operation';
import { recordIn } from '../../paths';
import { type ListColumn, listOf } from '../../records/lists/list-of';
import { RelatedLink } from '../../records/related/related';
import { DELIVERY_STATUSES, responseOf, resultOf, textOfDuration } from '../labels';
import style from '../webhooks.module.css';
import { useReplay } from './send-again';

const POLL_INTERVAL_MS = 3_000;
const PAGE_SIZE = 25;

interface Props {
  readonly webhook: Webhook;
}

/** The attempts to deliver events, newest first. New ones appear while there is one page. */
export const Deliveries = listOf({
  title: 'Deliveries',
  place: 'section',
  filters: { status: { label: 'Status', options: DELIVERY_STATUSES } },
  pollMs: (pages) => (pages <= 1 ? POLL_INTERVAL_MS : 0),
  read: (query, { webhook: { id } }: Props) =>
    pages('listWebhookDeliveries', { path: { id }, query: { ...query, limit: PAGE_SIZE } }),
  useParts: ({ environment }, { webhook }) => {
    const replay = useReplay(webhook);
    const sending = replay.isPending ? replay.variables?.body.deliveryId : undefined;
    return {
      columns: columns(environment, sending, (deliveryId) => replay.send({ deliveryId })),
      note: replay.error && <Failure error={replay.error} />,
    };
  },
  empty: {
    title: 'No deliveries yet',
    text: 'Every attempt of the last 30 days appears here, from the next event on. Send a test event to see the first one.',
  },
});

const columns = (
  environment: Environment,
  sending: string | undefined,
  sendAgain: (deliveryId: string) => void,
): readonly ListColumn<WebhookDelivery>[] => [
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
    narrow: 'state',
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
  { name: 'Response', narrow: 'fact', cell: (delivery) => responseOf(delivery) },
  { name: 'Attempt', short: true, minor: true, cell: ({ attempt }) => attempt },
  { name: 'Duration', short: true, minor: true, cell: ({ durationMs }) => textOfDuration(durationMs) },
  { name: 'Time', short: true, narrow: 'time', at: ({ at }) => at },
  {
    name: 'Actions',
    short: true,
    role: 'developer',
    narrow: 'actions',
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
