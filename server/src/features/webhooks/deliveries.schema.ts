import Type from 'typebox';
import { earlierHash, ids } from '../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
} from '../../records/schema.js';
import { Event } from '../events/events.js';

const previous = {
  previousSeq: Nullable(Type.Integer({ minimum: 1, examples: [40] })),
  previousHash: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', examples: [earlierHash] })),
};

/** The body of a delivery. */
export const EventDelivery = strictObject(
  {
    type: exampleText('device.created'),
    timestamp: Timestamp,
    data: strictObject({ ...Event.properties, tenantId: uuid(ids.tenant), ...previous }, 'DeliveredEvent'),
  },
  'EventDelivery',
);

export const ThrottledDelivery = strictObject(
  {
    type: Type.Enum(['events.throttled']),
    timestamp: Timestamp,
    data: strictObject({
      type: exampleText('identity.verify'),
      fromSeq: count(103),
      toSeq: count(1202),
      count: count(1100),
      environment: Environment,
      tenantId: uuid(ids.tenant),
      ...previous,
    }),
  },
  'ThrottledDelivery',
);

export const TestDelivery = strictObject(
  {
    type: Type.Enum(['webhook.test']),
    timestamp: Timestamp,
    data: strictObject({
      webhookId: uuid(ids.webhook),
      environment: Environment,
      tenantId: uuid(ids.tenant),
      previousSeq: Type.Null(),
      previousHash: Type.Null(),
    }),
  },
  'TestDelivery',
);
