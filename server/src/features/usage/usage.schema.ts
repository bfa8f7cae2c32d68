import Type from 'typebox';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  withExample,
} from '../../http/schema.js';
import { PLANS } from '../../model/plans.js';

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
