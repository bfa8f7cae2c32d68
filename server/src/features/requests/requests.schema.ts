import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const LoggedRequest = strictObject(
  {
    timestamp: Timestamp,
    method: exampleText('POST'),
    path: exampleText('/v1/devices/:deviceId', 'The pattern of the route, never the requested path.'),
    status: withExample(404, Type.Integer()),
    durationMs: count(38),
    keyId: Nullable(uuid(ids.apiKey)),
    requestId: Nullable(uuid(ids.request)),
    error: Nullable(exampleText('device_not_found', 'The error code. Null if the request succeeded.')),
  },
  'LoggedRequest',
);

const filters = {
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5]([0-9]{2}|xx)$',
      description: 'a status, such as 404, or a class of statuses, such as 4xx',
      examples: ['4xx'],
    }),
  ),
  method: Type.Optional(withExample('PATCH', Type.Enum(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']))),
  path: Type.Optional(withExample('/v1/devices/:deviceId', Text(200))),
  keyId: Type.Optional(uuid(ids.apiKey)),
  error: Type.Optional(withExample('device_not_found', Text(64))),
};
const environment = { environment: Type.Optional(Environment) };

export const ListQuery = strictObject({ ...environment, ...filters, ...paging });
export const StreamQuery = strictObject({
  ...environment,
  ...filters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'The stream ends after this many requests.',
      examples: [10],
    }),
  ),
});

const RejectedCalls = strictObject(
  {
    minute: timestamp('2026-05-12T09:30:00.000Z'),
    error: withExample(
      'monthly_quota_exceeded',
      Type.Enum(['address_not_allowed', 'monthly_quota_exceeded', 'rate_limit_exceeded', 'tenant_inactive']),
    ),
    calls: count(1204),
  },
  'RejectedCalls',
);

export const RejectedQuery = strictObject({ ...environment, ...paging });
export const RejectedListReply = pageOf('rejected', RejectedCalls);
export const RequestListReply = pageOf('requests', LoggedRequest);
