import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { AUDIT_ACTIONS } from '../../model/audit-actions.js';
import { ERRORS } from '../../model/errors.js';
import { hash } from '../../model/example-fixtures.js';
import {
  count,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  withExample,
} from '../../records/schema.js';

/** How often each name occurred. Names that never occurred are absent. */
const countsOf = (names: readonly string[], example: Record<string, number>) => {
  const fields = Object.fromEntries(names.map((name) => [name, Type.Optional(count(0))]));
  return Type.Unsafe<Record<string, number>>(withExample(example, strictObject(fields)));
};

export const StatsReply = strictObject({
  startedAt: Timestamp,
  uptimeSeconds: count(86_400),
  counters: strictObject({
    requests: strictObject({ total: count(1210), '2xx': count(1184), '4xx': count(26), '5xx': count(0) }),
    errors: countsOf(Object.keys(ERRORS), { invalid_request: 21, verification_failed: 5 }),
    writes: countsOf(Object.keys(AUDIT_ACTIONS), { 'device.created': 12, 'identity.verify': 310 }),
  }),
  blockchain: strictObject({
    configured: flag(false),
    identityCount: withExample(null, Nullable(Type.Integer({ minimum: 0 }))),
  }),
});

const addresses = (example: string) =>
  Type.Optional(strictObject({ anchorHub: exampleText(example), groth16Verifier: exampleText(example) }));
const orNull = (example: number) => Nullable(Type.Integer({ minimum: 0, examples: [example] }));
/** Without a blockchain, only `configured`. */
export const BlockchainReply = overrideExample(
  strictObject({
    configured: flag(false),
    state: Type.Optional(exampleText('ok')),
    message: Type.Optional(Nullable(exampleText('The chain has another id.'))),
    chainId: Type.Optional(strictObject({ expected: count(1), seen: orNull(1) })),
    contracts: addresses('0x4e59b44847b379578588920cA78FbF26c0B4956C'),
    codeHashes: addresses(`0x${hash}`),
    relayer: Type.Optional(
      strictObject({
        address: exampleText('0x4e59b44847b379578588920cA78FbF26c0B4956C'),
        balanceWei: Nullable(exampleText('1000000000000000000')),
      }),
    ),
    blocks: Type.Optional(strictObject({ head: orNull(128), finalized: orNull(64) })),
    latencyMs: Type.Optional(orNull(3)),
    onChain: Type.Optional(
      Nullable(strictObject({ batches: count(2), leaves: count(5), identities: count(4) }, 'ChainTotals')),
    ),
    outbox: Type.Optional(
      strictObject({
        waiting: count(0),
        sent: count(0),
        included: count(1),
        confirmed: count(4),
        identities: count(4),
        oldestAgeSeconds: orNull(0),
      }),
    ),
  }),
  {
    state: undefined,
    message: undefined,
    chainId: undefined,
    contracts: undefined,
    codeHashes: undefined,
    relayer: undefined,
    blocks: undefined,
    latencyMs: undefined,
    onChain: undefined,
    outbox: undefined,
  },
);

const Verdict = Type.Enum(['pass', 'fail']);
export const PrivacyAuditReply = strictObject({
  status: Verdict,
  checks: Type.Array(
    strictObject({
      name: exampleText('no_biometric_columns'),
      status: Verdict,
      detail: exampleText('none has a name on the list of biometric names'),
    }),
  ),
});
