import Type from 'typebox';
import { ERRORS } from '../../kernel/errors.js';
import { closed, count, flag, like, Nullable, shown, Timestamp } from '../../kernel/schema.js';
import { AUDIT_ACTIONS } from '../../model/audit-actions.js';

/** How often each of the names came up; one that never did is absent. */
const countsOf = (names: readonly string[], example: Record<string, number>) => {
  const fields = Object.fromEntries(names.map((name) => [name, Type.Optional(count(0))]));
  return Type.Unsafe<Record<string, number>>(like(example, closed(fields)));
};

export const StatsReply = closed({
  startedAt: Timestamp,
  uptimeSeconds: count(86_400),
  counters: closed({
    requests: closed({ total: count(1210), '2xx': count(1184), '4xx': count(26), '5xx': count(0) }),
    errors: countsOf(Object.keys(ERRORS), { invalid_request: 21, verification_failed: 5 }),
    writes: countsOf(Object.keys(AUDIT_ACTIONS), { 'device.created': 12, 'identity.verify': 310 }),
  }),
  blockchain: closed({
    configured: flag(false),
    identityCount: like(null, Nullable(Type.Integer({ minimum: 0 }))),
  }),
});

export const BlockchainReply = closed({ configured: flag(false) });

const Verdict = Type.Enum(['pass', 'fail']);
export const PrivacyAuditReply = closed({
  status: Verdict,
  checks: Type.Array(
    closed({
      name: shown('no_biometric_columns'),
      status: Verdict,
      detail: shown('none has a name on the list of biometric names'),
    }),
  ),
});
