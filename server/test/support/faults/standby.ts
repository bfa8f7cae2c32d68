import pg from 'pg';
import { makePostgres } from '../../../../scripts/testing/test-databases.mjs';
import { migrate, readMigrations } from '../../../src/db/migrate.js';
import { openPostgres } from '../../../src/db/pg.js';
import { migrationsFolder } from '../database.js';
import { openPgProxy, type PgProxy } from './pg-proxy.js';

type OwnPostgres = Awaited<ReturnType<typeof makePostgres>>;

/** A migrated PostgreSQL server and a standby that replays its log. */
export interface WithStandby {
  readonly primary: OwnPostgres;
  readonly standby: OwnPostgres;
  /** Between the service and the standby. */
  readonly proxy: PgProxy;
  /** Stops the replay. Until it is resumed, the standby receives the log and serves an old state. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when the standby has replayed everything that is committed now. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export async function startWithStandby(): Promise<WithStandby> {
  const primary = await makePostgres();
  await primary.start();
  const db = openPostgres({ url: primary.url });
  await migrate(db, await readMigrations(migrationsFolder));
  await db.close();
  await primary.stop('SIGINT');
  const standby = await makePostgres({ standbyOf: primary });
  await Promise.all([primary.start(), standby.start()]);
  const proxy = await openPgProxy(standby.url);
  const onPrimary = new pg.Client({ connectionString: primary.url });
  const onStandby = new pg.Client({ connectionString: standby.url });
  for (const client of [onPrimary, onStandby]) client.on('error', () => {});
  await Promise.all([onPrimary.connect(), onStandby.connect()]);
  return {
    primary,
    standby,
    proxy,
    pause: async () => void (await onStandby.query('select pg_wal_replay_pause()')),
    resume: async () =>
      void (await onStandby.query('select pg_wal_replay_resume() where pg_is_in_recovery()')),
    async caughtUp() {
      const { rows } = await onPrimary.query('select pg_current_wal_insert_lsn()::text as lsn');
      for (;;) {
        const found = await onStandby.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [
          rows[0].lsn,
        ]);
        if (found.rows[0].has) return;
      }
    },
    async close() {
      await Promise.all([onPrimary.end(), onStandby.end()].map((ended) => ended.catch(() => {})));
      proxy.close();
      await standby.remove();
      await primary.remove();
    },
  };
}
