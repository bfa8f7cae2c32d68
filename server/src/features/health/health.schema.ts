import Type from 'typebox';
import { except } from '../../http/openapi/example.js';
import { closed, count, flag, like, shown } from '../../http/schema.js';

const State = Type.Enum(['ok', 'degraded', 'down', 'not_configured']);

export const HealthReply = closed(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: shown('0.1.0'),
    uptimeSeconds: count(86_400),
    database: flag(true),
    blockchain: flag(false),
    subsystems: closed({
      database: closed({ status: State, kind: Type.Enum(['postgres', 'embedded']) }),
      redis: closed({ status: like('not_configured', State) }),
      blockchain: except(
        closed({ status: like('not_configured', State), state: Type.Optional(shown('ok')) }),
        { state: undefined },
      ),
      zkp: closed({
        status: State,
        circuit: shown('identity_proof'),
        circuitVersion: shown('1.2'),
        setup: Type.Enum(['development', 'ceremony']),
        workers: count(2),
        queued: count(0),
        queueLimit: count(64),
      }),
      poseidon: closed({ status: State }),
      codes: closed({ status: State, guarded: flag(false) }),
    }),
  },
  'Health',
);
export const DownReply = except(HealthReply, {
  status: 'degraded',
  database: false,
  subsystems: { database: { status: 'down' } },
});
export const LiveReply = closed({ status: Type.Enum(['ok']) });
export const ReadyReply = closed({ status: Type.Enum(['ready', 'not_ready']) });
export const NotReadyReply = except(ReadyReply, { status: 'not_ready' });
