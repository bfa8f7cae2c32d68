import Type from 'typebox';
import { closed, Environment, Nullable, Timestamp } from '../../kernel/schema.js';
import { PLANS } from '../../model/plans.js';

const Count = Type.Integer({ minimum: 0 });

export const UsageReply = closed({
  plan: Type.Enum([...PLANS]),
  currentMonth: closed({ used: Count, limit: Nullable(Count), remaining: Nullable(Count) }),
  rateLimit: closed({ requestsPer15Min: Count }),
  history: Type.Array(closed({ month: Type.String({ examples: ['2026-05'] }), used: Count })),
  recentCalls: Type.Array(
    closed({
      method: Type.String(),
      endpoint: Type.String(),
      status: Type.Integer(),
      timestamp: Timestamp,
      environment: Environment,
      durationMs: Count,
    }),
  ),
});
