import Type from 'typebox';
import { closed, Nullable, Timestamp } from '../../kernel/schema.js';

const Count = Type.Integer({ minimum: 0 });
/** By error code, or by audit action. */
const Counts = Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: Count });

export const StatsReply = closed({
  startedAt: Timestamp,
  uptimeSeconds: Count,
  counters: closed({
    requests: closed({ total: Count, '2xx': Count, '4xx': Count, '5xx': Count }),
    errors: Counts,
    writes: Counts,
  }),
  blockchain: closed({ configured: Type.Boolean(), identityCount: Nullable(Count) }),
});

export const BlockchainReply = closed({ configured: Type.Boolean() });

const Verdict = Type.Enum(['pass', 'fail']);
export const PrivacyAuditReply = closed({
  status: Verdict,
  checks: Type.Array(closed({ name: Type.String(), status: Verdict, detail: Type.String() })),
});
