import { poseidon2 } from '@svc/zk/poseidon';
import type { Deps } from '../../http/deps.js';

export { createDatabaseProbe } from './database-probe.js';

/** Poseidon(1, 2), as in every implementation for this field. A wrong constant shows here before it affects a user. */
const POSEIDON_1_2 = 7853200120776062878684798364095072458815029376092732009249414926327459813530n;
const POSEIDON_HOLDS = poseidon2(1n, 2n) === POSEIDON_1_2;

type HealthDeps = Pick<
  Deps,
  | 'anchoring'
  | 'clock'
  | 'codeGuard'
  | 'databaseProbe'
  | 'db'
  | 'machines'
  | 'redis'
  | 'replica'
  | 'startedAt'
  | 'verifier'
  | 'version'
  | 'zk'
>;

export async function checkHealth(deps: HealthDeps) {
  const { reads, writes } = await deps.databaseProbe.check();
  const { workers, queued, queueLimit, kernel, differences } = deps.verifier.stats();
  // A difference is a fault that somebody must look into, although mcl verifies everything after it.
  const zkp = workers === 0 ? 'down' : differences.accepted + differences.rejected > 0 ? 'degraded' : 'ok';
  const guarded = await deps.codeGuard.isUp();
  const redis = deps.redis?.isUp ?? true;
  const chain = deps.anchoring?.status().state;
  const machines = deps.machines?.status();
  const isWhole = (machines?.lost ?? 0) === 0;
  const replica = deps.replica?.status;
  return {
    status:
      writes &&
      isWhole &&
      zkp === 'ok' &&
      POSEIDON_HOLDS &&
      redis &&
      !guarded &&
      (chain ?? 'ok') === 'ok' &&
      (replica ?? 'ok') === 'ok'
        ? 'ok'
        : 'degraded',
    version: deps.version,
    uptimeSeconds: Math.floor((deps.clock.now() - deps.startedAt) / 1000),
    database: reads,
    blockchain: chain === 'ok',
    subsystems: {
      database: {
        status: !reads ? 'down' : writes && isWhole ? 'ok' : 'degraded',
        kind: deps.db.kind,
        reads: reads ? 'ok' : 'down',
        writes: writes ? 'ok' : 'down',
        ...(machines && { spread: machines }),
      },
      replica: { status: replica ?? 'not_configured' },
      redis: { status: deps.redis === undefined ? 'not_configured' : redis ? 'ok' : 'down' },
      blockchain:
        chain === undefined
          ? { status: 'not_configured' }
          : { status: chain === 'ok' ? 'ok' : 'down', state: chain },
      zkp: {
        status: zkp,
        circuit: deps.zk.circuit,
        circuitVersion: deps.zk.circuitVersion,
        setup: deps.zk.setup.kind,
        zk_kernel: kernel,
        workers,
        queued,
        queueLimit,
      },
      poseidon: { status: POSEIDON_HOLDS ? 'ok' : 'down' },
      codes: { status: guarded ? 'degraded' : 'ok', guarded },
    },
  };
}
