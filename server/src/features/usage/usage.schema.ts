import Type from 'typebox';
import { PLANS } from '../../model/plans.js';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
  withExample,
} from '../../records/schema.js';

export const UsageReply = strictObject({
  plan: withExample('growth', Type.Enum([...PLANS])),
  currentMonth: strictObject({
    used: count(1210),
    limit: Nullable(count(250_000)),
    remaining: Nullable(count(248_790)),
  }),
  rateLimit: strictObject({ requestsPer15Min: count(2000) }),
  history: Type.Array(strictObject({ month: exampleText('2026-05'), used: count(1210) })),
  recentCalls: Type.Array(
    strictObject({
      method: exampleText('POST'),
      endpoint: exampleText('/v1/identity/verify'),
      status: withExample(200, Type.Integer()),
      timestamp: Timestamp,
      environment: Environment,
      durationMs: count(38),
    }),
  ),
});

export const SeriesQuery = strictObject({
  environment: Type.Optional(Environment),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  step: Type.Optional(withExample('hour', Type.Enum(['hour', 'day']))),
  by: Type.Optional(withExample('endpoint', Type.Enum(['endpoint', 'status', 'key']))),
});

const Milliseconds = (example: number) => Nullable(count(example));

export const SeriesReply = strictObject({
  series: Type.Array(
    strictObject({
      at: timestamp('2026-05-12T09:00:00.000Z'),
      key: exampleText(
        'POST /v1/verifications',
        'Method and path of the endpoint, the status, or the id of the API key.',
      ),
      count: count(1210),
      p50: Milliseconds(18),
      p95: Milliseconds(42),
    }),
  ),
});
