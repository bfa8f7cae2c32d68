import Type from 'typebox';
import { Environment, exampleText, strictObject, Timestamp, withExample } from '../../records/schema.js';
import { AuditEvent } from '../audit/audit.js';
import { MAX_PATTERN_LENGTH, MAX_PATTERNS } from './filter.js';

/** An audit event, with the names that events have in the feed, in streams and in deliveries. */
export const Event = strictObject(
  { ...AuditEvent.properties, type: exampleText('device.created'), timestamp: Timestamp },
  'Event',
);

const Types = withExample(
  'identity.*,user.created',
  Type.String({
    minLength: 1,
    maxLength: MAX_PATTERNS * (MAX_PATTERN_LENGTH + 1),
    pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
    description: 'event types or patterns such as identity.*, separated by commas',
  }),
);

/** Up to 15 digits, so that every position is a safe integer. */
const After = withExample(
  '41',
  Type.String({
    maxLength: 32,
    pattern: '^(0|[1-9][0-9]{0,14})(\\.[0-9a-f]{16})?$',
    description:
      'a sequence number, or a sequence number, a full stop and the first 16 digits of that event’s hash',
  }),
);

const Wait = Type.Integer({ minimum: 0, maximum: 25, default: 0, examples: [0] });

export const ListEventsQuery = strictObject({
  after: Type.Optional(After),
  types: Type.Optional(Types),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, examples: [20] })),
  wait: Type.Optional(Wait),
});

export const EventListReply = strictObject(
  {
    events: Type.Array(Event),
    next: Type.Integer({ minimum: 0, examples: [42] }),
    environment: Environment,
  },
  'EventPage',
);

export const StreamEventsQuery = strictObject({ after: Type.Optional(After), types: Type.Optional(Types) });
