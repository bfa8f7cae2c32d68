import { VERIFIER_KERNELS } from '@svc/zk/verifier/verifier';
import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { count, exampleText, flag, strictObject, withExample } from '../../records/schema.js';

const State = Type.Enum(['ok', 'degraded', 'down', 'not_configured']);

const UpOrDown = Type.Enum(['ok', 'down']);

/** A database on several machines. */
const Spread = strictObject({
  machines: count(3),
  lost: count(0),
  /** From 0 to 1. */
  affectedAccounts: withExample(0, Type.Number({ minimum: 0, maximum: 1 })),
});

export const HealthReply = strictObject(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: exampleText('0.1.0'),
    uptimeSeconds: count(86_400),
    database: flag(true),
    blockchain: flag(false),
    subsystems: strictObject({
      database: overrideExample(
        strictObject({
          status: State,
          kind: Type.Enum(['postgres', 'embedded']),
          reads: UpOrDown,
          writes: UpOrDown,
          spread: Type.Optional(Spread),
        }),
        { spread: undefined },
      ),
      replica: strictObject({ status: withExample('not_configured', State) }),
      redis: strictObject({ status: withExample('not_configured', State) }),
      blockchain: overrideExample(
        strictObject({
          status: withExample('not_configured', State),
          state: Type.Optional(exampleText('ok')),
        }),
        { state: undefined },
      ),
      zkp: strictObject({
        status: State,
        circuit: exampleText('identity_proof'),
        circuitVersion: exampleText('1.2'),
        setup: Type.Enum(['development', 'ceremony']),
        zk_kernel: withExample('fma', Type.Enum([...VERIFIER_KERNELS])),
        workers: count(2),
        queued: count(0),
        queueLimit: count(64),
      }),
      poseidon: strictObject({ status: State }),
      codes: strictObject({ status: State, guarded: flag(false) }),
    }),
  },
  'Health',
);
export const DownReply = overrideExample(HealthReply, {
  status: 'degraded',
  database: false,
  subsystems: { database: { status: 'down', reads: 'down', writes: 'down' } },
});
export const LiveReply = strictObject({ status: Type.Enum(['ok']) });
export const ReadyReply = strictObject({ status: Type.Enum(['ready', 'not_ready']) });
export const NotReadyReply = overrideExample(ReadyReply, { status: 'not_ready' });
