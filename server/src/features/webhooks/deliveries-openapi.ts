import type { SentRequest } from '../../http/route.js';
import { ids } from '../../model/example-fixtures.js';
import { EventDelivery, TestDelivery, ThrottledDelivery } from './deliveries.schema.js';

const HEADERS = {
  'webhook-id': {
    description:
      '`evt_` and the id of the event, the same in every retry and replay. Use it to ignore duplicates.',
    example: `evt_${ids.auditEvent}`,
  },
  'webhook-timestamp': {
    description: 'When this attempt was made, in Unix seconds.',
    example: '1778578200',
  },
  'webhook-signature': {
    description:
      'One or more signatures of Standard Webhooks, separated by spaces: `v1,` HMAC-SHA256, `v1a,` Ed25519.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
} as const;
const REPLAY = { 'svc-replay': { description: '`true` if the event was asked for again.', example: 'true' } };

/** What a webhook sends, for the OpenAPI document. */
export const DELIVERIES: readonly SentRequest[] = [
  {
    name: 'event',
    operationId: 'receiveEvent',
    summary: 'An event that the webhook selects',
    description:
      '`type` is one of the actions in docs/audit.md. Later versions add types, so ignore those that you do not know.',
    headers: HEADERS,
    optionalHeaders: REPLAY,
    body: EventDelivery,
  },
  {
    name: 'events.throttled',
    operationId: 'receiveThrottledEvents',
    summary: 'Events of one type that anyone can cause, beyond 60 in a minute, summed up',
    headers: HEADERS,
    body: ThrottledDelivery,
  },
  {
    name: 'webhook.test',
    operationId: 'receiveTestEvent',
    summary: 'A test event',
    headers: HEADERS,
    body: TestDelivery,
  },
];
