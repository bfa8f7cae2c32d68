import { poseidon2 } from '@svc/zk/poseidon';
import { sql } from '../../kernel/db/sql.js';
import type { Deps } from '../../kernel/deps.js';

/** Poseidon(1, 2), as every library of the field has it: a wrong constant would show here before it costs a user. */
const POSEIDON_1_2 = 7853200120776062878684798364095072458815029376092732009249414926327459813530n;

export async function databaseAnswers({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<boolean> {
  try {
    await db.query(sql`select 1`);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'health: the database does not answer');
    return false;
  }
}

export async function checkHealth(deps: Deps) {
  const database = await databaseAnswers(deps);
  const { workers, queued, queueLimit } = deps.verifier.stats();
  const zkp = workers > 0;
  const guarded = deps.codeGuard.isUp();
  const poseidon = poseidon2(1n, 2n) === POSEIDON_1_2;
  return {
    status: database && zkp && poseidon && !guarded ? 'ok' : 'degraded',
    version: deps.version,
    uptimeSeconds: Math.floor((deps.clock.now() - deps.startedAt) / 1000),
    database,
    blockchain: false,
    subsystems: {
      database: { status: database ? 'ok' : 'down', kind: deps.db.kind },
      blockchain: { status: 'not_configured' },
      zkp: {
        status: zkp ? 'ok' : 'down',
        circuit: deps.zk.circuit,
        circuitVersion: deps.zk.circuitVersion,
        setup: deps.zk.setup.kind,
        workers,
        queued,
        queueLimit,
      },
      poseidon: { status: poseidon ? 'ok' : 'down' },
      codes: { status: guarded ? 'degraded' : 'ok', guarded },
    },
  };
}
