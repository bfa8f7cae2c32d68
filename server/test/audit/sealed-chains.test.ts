import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { sealChains } from '../../src/features/seals/seals.js';
import { jobsOf } from '../../src/jobs.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type Service, START, startService } from '../support/service.js';

const HOUR_MS = 60 * 60_000;

let db: RawDatabase;
let service: Service;
beforeAll(async () => {
  ({ db } = await freshDatabase());
  service = await startService({ db });
  await migratedAt(START - 2 * HOUR_MS);
});
afterAll(async () => {
  await service.close();
  await db.close();
});

const migratedAt = (time: number) =>
  db.query(
    sql`update schema_migrations set applied_at = ${new Date(time)} where name = '0050b_seals_of_pairings'`,
  );
const sealed = ({ tenantId }: Account) =>
  db.query<{ environment: string; entity_id: string; actor_type: string }>(
    sql`select environment, entity_id, actor_type from audit_events where tenant_id = ${tenantId}
      and action = 'chain.records_sealed' order by environment`,
  );

it('enters chain.records_sealed into each chain once, also if two nodes do so at the same time [audit/when-records-are-sealed]', async () => {
  const account = await service.signUp();
  const other = await startService({ db });
  await Promise.all([sealChains(service.app.deps), sealChains(other.app.deps)]);
  await other.close();
  await sealChains(service.app.deps);
  expect(await sealed(account)).toEqual(
    ['live', 'test'].map((environment) => ({
      environment,
      entity_id: account.tenantId,
      actor_type: 'system',
    })),
  );
});

it('waits for an hour after the migration, until nodes of the previous version are gone [audit/when-records-are-sealed]', async () => {
  const account = await service.signUp();
  const job = jobsOf(service.app.deps, { sync: async () => {} }).find(({ name }) => name === 'sealed_chains');
  await migratedAt(START - HOUR_MS + 1);
  await job?.run(new AbortController().signal);
  expect(await sealed(account)).toEqual([]);
  await migratedAt(START - HOUR_MS);
  await job?.run(new AbortController().signal);
  expect(await sealed(account)).toHaveLength(2);
});
