// @module-tag if-touched @core server/src/features/restore/ server/src/features/sealing/ cli/: a dozen processes of the command line
import { expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { freshDatabase } from '../support/database.js';
import { registerPerson } from '../support/phone.js';
import { startService } from '../support/service.js';
import { startSvc } from '../support/svc.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
const ACCOUNTS = 60;

it('svc restore finish, killed at several moments and run again, ends as if it was never killed [chain.restored] [erasure/restore]', async () => {
  const nodes = await freshDatabase();
  const service = await startService({ db: nodes.db, secret: SECRET });
  for (let made = 0; made < ACCOUNTS; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => registerPerson(service, (await service.signUp()).key)),
    );
  await service.close();
  const url = nodes.url as string;
  const env = { DATABASE_URL: url, SVC_SECRET: SECRET, RESTORE_EPOCH: '1' };
  const early = await startSvc(['restore', 'finish'], env).ended;
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('Nodes are connected')]);
  await nodes.db.close();
  const db = openPostgres({ url, connections: 1, application: 'a test' });
  const chainsMarked = async () => {
    const [row] = await db.query<{ chains: number; events: number }>(
      sql`select count(distinct (tenant_id, environment)) as chains, count(*) as events
        from audit_events where action = 'chain.restored'`,
    );
    return row!;
  };
  // The start of the process takes most of a run, so the moments come from what it has done.
  for (const chains of [1, ACCOUNTS / 2, ACCOUNTS + 1]) {
    const run = startSvc(['restore', 'finish'], env);
    let hasEnded = false;
    const ended = run.ended.then(() => {
      hasEnded = true;
    });
    while (!hasEnded && (await chainsMarked()).chains < chains);
    run.kill();
    await ended;
  }
  const last = await startSvc(['restore', 'finish', '--json'], env).ended;
  expect(last.code, last.err).toBe(0);
  expect(await chainsMarked()).toEqual({ chains: 2 * ACCOUNTS, events: 2 * ACCOUNTS });
  const [unlocked] = await db.query(
    sql`select count(*) as n from tenants where identities_locked_at is null`,
  );
  expect(unlocked).toEqual({ n: 0 });
  expect(await db.query(sql`select epoch from restores`)).toEqual([{ epoch: 1 }]);
  await db.close();
});
