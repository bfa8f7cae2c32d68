import Type from 'typebox';
import { closed, count, Environment, like, Nullable, shown, Timestamp } from '../../http/schema.js';
import { PLANS } from '../../model/plans.js';

export const UsageReply = closed({
  plan: like('growth', Type.Enum([...PLANS])),
  currentMonth: closed({
    used: count(1210),
    limit: Nullable(count(250_000)),
    remaining: Nullable(count(248_790)),
  }),
  rateLimit: closed({ requestsPer15Min: count(2000) }),
  history: Type.Array(closed({ month: shown('2026-05'), used: count(1210) })),
  recentCalls: Type.Array(
    closed({
      method: shown('POST'),
      endpoint: shown('/v1/identity/verify'),
      status: like(200, Type.Integer()),
      timestamp: Timestamp,
      environment: Environment,
      durationMs: count(38),
    }),
  ),
});
