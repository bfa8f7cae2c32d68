import Type from 'typebox';
import { closed } from '../../kernel/schema.js';

const State = Type.Enum(['ok', 'degraded', 'down', 'not_configured']);

export const HealthReply = closed(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: Type.String(),
    uptimeSeconds: Type.Integer(),
    database: Type.Boolean(),
    blockchain: Type.Boolean(),
    subsystems: closed({
      database: closed({ status: State, kind: Type.Enum(['postgres', 'embedded']) }),
      blockchain: closed({ status: State }),
      zkp: closed({
        status: State,
        circuit: Type.String(),
        circuitVersion: Type.String(),
        setup: Type.Enum(['development', 'ceremony']),
        workers: Type.Integer(),
        queued: Type.Integer(),
        queueLimit: Type.Integer(),
      }),
      poseidon: closed({ status: State }),
      codes: closed({ status: State, guarded: Type.Boolean() }),
    }),
  },
  'Health',
);
export const LiveReply = closed({ status: Type.Enum(['ok']) });
export const ReadyReply = closed({ status: Type.Enum(['ready', 'not_ready']) });
