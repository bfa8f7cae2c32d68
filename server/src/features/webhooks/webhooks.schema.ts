import Type from 'typebox';
import { ids, secrets } from '../../model/example-fixtures.js';
import {
  count,
  exampleText,
  flag,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { MAX_PATTERN_LENGTH, MAX_PATTERNS, PATTERN_TEXT } from '../events/events.js';

export const OUTCOMES = ['success', 'failure', 'any'] as const;
export const STATUSES = ['active', 'paused', 'disabled'] as const;
export const DISABLED_REASONS = ['gone', 'failing', 'chain_diverged'] as const;
export const DELIVERY_STATUSES = ['succeeded', 'failed', 'pending', 'abandoned'] as const;
export const DELIVERY_ERRORS = ['dns', 'connect', 'tls', 'timeout', 'status', 'too_large'] as const;

/** One week. */
const MAX_GRACE_SECONDS = 604_800;
const MAX_SEQ = 999_999_999_999_999;

const Url = withExample('https://example.com/hooks', Type.String({ minLength: 1, maxLength: 2_048 }));
const Patterns = withExample(
  ['user.*', 'identity.revoked'],
  Type.Array(
    Type.String({
      maxLength: MAX_PATTERN_LENGTH,
      pattern: PATTERN_TEXT,
      description: 'an event type, a noun with .* or *',
    }),
    { minItems: 1, maxItems: MAX_PATTERNS },
  ),
);
const Description = Nullable(withExample('Access control of the main gate', Text(200)));
const Outcome = Type.Enum([...OUTCOMES]);
const Seq = Type.Integer({ minimum: 1, maximum: MAX_SEQ, examples: [42] });
const Since = Type.Unsafe<'now' | number>(
  Type.Union([Type.Literal('now'), Type.Integer({ minimum: 0, maximum: MAX_SEQ, examples: [41] })], {
    description: '`now`, or the sequence number after which deliveries begin',
  }),
);

const Webhook = strictObject(
  {
    id: uuid(ids.webhook),
    url: Url,
    description: Description,
    events: Patterns,
    ordered: flag(false),
    outcome: Outcome,
    throttled: flag(true),
    status: Type.Enum([...STATUSES]),
    disabledReason: Nullable(Type.Enum([...DISABLED_REASONS])),
    publicKey: exampleText('whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='),
    cursor: count(42),
    lag: count(0),
    lastSuccessAt: Nullable(Timestamp),
    lastFailureAt: Nullable(Timestamp),
    consecutiveFailures: count(0),
    /** The key that created the webhook, and when that key was revoked. Null if the dashboard created it. */
    keyId: Nullable(uuid(ids.apiKey)),
    keyName: Nullable(exampleText('Backend')),
    keyRevokedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  },
  'Webhook',
);
const Secret = exampleText(secrets.webhookSecret);

export const CreateBody = Type.Object(
  {
    url: Url,
    events: Patterns,
    description: Type.Optional(Description),
    ordered: Type.Optional(flag(false)),
    outcome: Type.Optional(Outcome),
    throttled: Type.Optional(flag(true)),
    since: Type.Optional(Since),
  },
  { additionalProperties: false, title: 'WebhookCreateParams' },
);
export const PatchBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Patterns),
    description: Type.Optional(Description),
    ordered: Type.Optional(flag(false)),
    outcome: Type.Optional(Outcome),
    throttled: Type.Optional(flag(true)),
    status: Type.Optional(Type.Enum(['active', 'paused'])),
    since: Type.Optional(Since),
  },
  { additionalProperties: false, title: 'WebhookUpdateParams', minProperties: 1 },
);
export const RotateBody = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_GRACE_SECONDS, default: 86_400, examples: [86_400] }),
    ),
  },
  { additionalProperties: false, title: 'WebhookSecretRotateParams' },
);
export const ReplayBody = Type.Object(
  {
    fromSeq: Type.Optional(Seq),
    toSeq: Type.Optional(Seq),
    deliveryId: Type.Optional(uuid(ids.delivery)),
  },
  { additionalProperties: false, title: 'WebhookReplayParams', examples: [{ fromSeq: 1 }] },
);

const Delivery = strictObject(
  {
    id: uuid(ids.delivery),
    seq: Nullable(count(42)),
    type: exampleText('identity.revoked'),
    attempt: Type.Integer({ minimum: 1, examples: [1] }),
    replay: flag(false),
    at: Timestamp,
    status: Type.Enum([...DELIVERY_STATUSES]),
    httpStatus: Nullable(Type.Integer({ minimum: 100, maximum: 999, examples: [200] })),
    errorCode: Nullable(withExample('timeout', Type.Enum([...DELIVERY_ERRORS]))),
    durationMs: count(38),
    nextAttemptAt: Nullable(Timestamp),
  },
  'WebhookDelivery',
);

export const ListQuery = strictObject(paging);
export const DeliveriesQuery = strictObject({
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
  ...paging,
});

export const ListReply = pageOf('webhooks', Webhook);
export const WebhookReply = strictObject({ webhook: Webhook });
export const CreatedReply = strictObject({ webhook: Webhook, secret: Secret });
export const DeletedReply = strictObject({ deleted: flag(true) });
export const SecretReply = strictObject({ secret: Secret });
export const DeliveryReply = strictObject({ delivery: Delivery });
export const DeliveriesReply = pageOf('deliveries', Delivery);
export const DeliveryDaysReply = strictObject({
  days: Type.Array(strictObject({ day: exampleText('2026-05-12'), succeeded: count(412), failed: count(3) })),
});
export const ReplayReply = strictObject({
  replay: strictObject({ fromSeq: Seq, toSeq: Seq }, 'WebhookReplay'),
});
