// @module-tag if-touched @core server/src/features/erasure/ server/src/features/users/ server/src/features/restore/: rewrites whole tables, and reads the files of a database of its own
// @module-tag embedded-ci: the files of the embedded database
// @module-tag not-on-citus: reads the files of one server
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openEmbedded } from '../../src/db/embedded.js';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { databaseKind, freshDatabase, migrationsFolder } from '../support/database.js';
import { fullPerson } from '../support/full-person.js';
import { startService } from '../support/service.js';

const scratch = mkdtempSync(join(tmpdir(), 'svc-files-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What docs/privacy.md tells the operator to rewrite. */
const [, rewritten = ''] =
  /VACUUM FULL ([\w\s,]+);/.exec(
    readFileSync(new URL('../../../docs/privacy.md', import.meta.url), 'utf8'),
  ) ?? [];
const TABLES = rewritten.split(',').map((table) => table.trim());

const rows = async (db: RawDatabase, text: string) =>
  db.query<Record<string, string>>(sql(Object.assign([text], { raw: [text] })));

/** The folder of the database's tables, if this process may read it. */
async function folderOf(db: RawDatabase): Promise<string | undefined> {
  if (databaseKind === 'pglite') return join(scratch, 'database', 'base');
  const [row] = await rows(
    db,
    `select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`,
  );
  try {
    readdirSync(row!.folder!);
    return row!.folder;
  } catch {
    return undefined;
  }
}

/** The files in a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

/** Rewrites the tables, and returns the files that still contain one of the texts. */
async function filesAfterRewriting(
  db: RawDatabase,
  folder: string,
  texts: readonly string[],
): Promise<string[]> {
  for (const table of TABLES) {
    await rows(db, `vacuum full ${table}`);
    await rows(db, `reindex table ${table}`);
  }
  await rows(db, 'checkpoint');
  return texts.flatMap((text) => filesWith(folder, text));
}

/** With time for statements that rewrite whole tables beside other tests. */
const PATIENT = { connections: 12, timeoutMs: 60_000 };

async function open(): Promise<RawDatabase> {
  if (databaseKind !== 'pglite') {
    const { db, url } = await freshDatabase();
    await db.close();
    return openPostgres({ url: url as string, ...PATIENT });
  }
  const db = await openEmbedded(scratch);
  await migrate(db, await readMigrations(migrationsFolder));
  return db;
}

it('after VACUUM FULL and REINDEX of the tables that privacy.md names, no file of the database has anything of an erased person [erasure/erasing-a-person]', async (context) => {
  const db = await open();
  const service = await startService({ db });
  try {
    // Statistics of the planner would keep values until the next analysis, as privacy.md says.
    for (const table of TABLES) await rows(db, `alter table ${table} set (autovacuum_enabled = false)`);
    const account = await service.signUp({ plan: 'enterprise' });
    const eraser = await service.createKey(account, 'live', ['users:erase']);
    const tag = 'canary-of-files-7d1c';
    const person = await fullPerson(service, account, tag);
    await rows(db, 'checkpoint');
    const folder = await folderOf(db);
    if (folder === undefined) return context.skip('the files of the database server are not readable');
    expect(filesWith(folder, tag).length).toBeGreaterThan(5);
    expect(filesWith(folder, person.commitment).length).toBeGreaterThan(1);
    expect(
      (await service.call('POST', `/v1/users/${person.userId}/erase`, { as: eraser, body: {} })).status,
    ).toBe(200);
    const texts = [tag, person.did, person.commitment, person.second.did];
    // Not immediately on a busy server: old versions stay while any transaction may still see them.
    await expect.poll(() => filesAfterRewriting(db, folder, texts)).toEqual([]);
  } finally {
    await service.close();
    await db.close();
  }
});
