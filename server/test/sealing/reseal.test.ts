import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { runCommand } from '../../src/bin/commands.js';
import type { RawDatabase } from '../../src/db/db.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { reseal } from '../../src/features/sealing/reseal.js';
import { databaseKind, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';
import {
  clear,
  insertRow,
  keyIdOf,
  listKeys,
  openRow,
  readSealed,
  type SealedRow,
  sealIn,
  valuesOf,
} from './sealed-rows.js';

const OLD = 'the secret before, 32 bytes and more!';
const NEW = 'the secret that follows, 32 bytes and more';
const HOUR_MS = 3_600_000;
const NOTHING = { keys: 0, values: 0, changed: 0, createdKeys: 0, deletedKeys: 0 };

describe('secrets reseal', () => {
  let db: RawDatabase;
  let service: Service;
  let tenants: string[];
  beforeAll(async () => {
    // The command covers all accounts, so this file needs its own database.
    ({ db } = await freshDatabase());
    service = await startService({ db, secret: OLD });
    tenants = await Promise.all([1, 2, 3].map(async () => (await service.signUp()).tenantId));
  });
  beforeEach(() => clear(db));
  afterAll(async () => {
    await service.close();
    await db.close();
  });

  /** An app without cached keys. */
  const start = (secret = OLD, previous = '', options = {}) =>
    startService({ db, secret, clock: service.clock, env: { SVC_SECRET_PREVIOUS: previous }, ...options });
  const run = async ({ app }: Service, input: { newKey?: boolean } = {}): Promise<unknown> => {
    const reply = await runCommand(app.deps, { command: 'secrets reseal', input });
    return reply.ok ? reply.result : reply.error;
  };
  const keyIdsIn = async (rows: readonly SealedRow[]) => {
    const values = await Promise.all(rows.map((row) => readSealed(db, row)));
    return new Set(values.flatMap(({ secret, signing_key }) => [secret, signing_key].map(keyIdOf)));
  };
  const expectReadable = async ({ app }: Service, rows: readonly SealedRow[]) => {
    for (const row of rows) expect(await openRow(app.deps.sealer, db, row)).toEqual(valuesOf(row));
  };

  it('seals the key rows under the new server secret, and leaves values under the newest key', async () => {
    const row = await insertRow((await start()).app.deps, tenants[0]!);
    const before = await readSealed(db, row);
    const during = await start(NEW, OLD);
    expect(await run(during)).toEqual({ ...NOTHING, keys: 1 });
    expect(await readSealed(db, row)).toEqual(before);
    expect((await listKeys(db)).map((key) => key.secret_id)).toEqual([createKeyring(NEW).current.kid]);
    expect(await run(during)).toEqual(NOTHING);
    await expectReadable(await start(NEW), [row]);
  });

  it('with a new key, seals the values of all tenants and environments with it', async () => {
    const app = await start();
    const rows = [];
    for (const tenantId of tenants)
      for (const environment of ['live', 'test'] as const)
        rows.push(await insertRow(app.app.deps, tenantId, environment));
    const [first] = await listKeys(db);
    service.clock.advance(1);
    expect(await run(app, { newKey: true })).toEqual({ ...NOTHING, values: 12, createdKeys: 1 });
    const [, second] = await listKeys(db);
    expect(await keyIdsIn(rows)).toEqual(new Set([second!.id]));
    expect(second!.id).not.toBe(first!.id);
    await expectReadable(app, rows);
    await expectReadable(await start(), rows);
  });

  it.each([1, 2, 3, 5])('seals every value once, in batches of %i', { tags: ['ci'] }, async (batchSize) => {
    const app = await start();
    const rows = [];
    for (const tenantId of [...tenants, ...tenants]) rows.push(await insertRow(app.app.deps, tenantId));
    await reseal(app.app.deps, { newKey: true, batchSize: 500 });
    expect(await reseal(app.app.deps, { newKey: true, batchSize })).toMatchObject({ values: 12, changed: 0 });
    const keys = await listKeys(db);
    expect(await keyIdsIn(rows)).toEqual(new Set([keys.at(-1)!.id]));
    await expectReadable(await start(), rows);
  });

  it('leaves null as it is, and seals a previous secret', async () => {
    const app = await start();
    const [row, other] = [
      await insertRow(app.app.deps, tenants[0]!),
      await insertRow(app.app.deps, tenants[1]!),
    ];
    const previous = await sealIn(app.app.deps.sealer, row, 'previous_secret', 'the previous');
    await db.query(sql`update webhooks set previous_secret = ${previous} where id = ${row.id}`);
    expect(await run(app, { newKey: true })).toMatchObject({ values: 5 });
    const { previous_secret: sealed } = await readSealed(db, row);
    expect(keyIdOf(sealed!)).toBe((await listKeys(db)).at(-1)!.id);
    const context = { ...row, table: 'webhooks', column: 'previous_secret' };
    expect(String(await app.app.deps.sealer.open('webhooks', context, sealed!))).toBe('the previous');
    expect((await readSealed(db, other)).previous_secret).toBeNull();
  });

  it('deletes an old key when the newer one is an hour old and no value needs it', async () => {
    const app = await start();
    const row = await insertRow(app.app.deps, tenants[0]!);
    const [first] = await listKeys(db);
    service.clock.advance(1);
    await run(app, { newKey: true });
    service.clock.advance(HOUR_MS - 1);
    expect(await run(app)).toEqual(NOTHING);
    expect(await listKeys(db)).toHaveLength(2);
    service.clock.advance(1);
    expect(await run(app)).toEqual({ ...NOTHING, deletedKeys: 1 });
    expect((await listKeys(db)).map(({ id }) => id)).not.toContain(first!.id);
    await expectReadable(await start(), [row]);
  });

  it('keeps the newest key, however old it is, although no value needs it', async () => {
    const app = await start();
    await sealIn(app.app.deps.sealer, await insertRow(app.app.deps, tenants[0]!), 'secret', 'x');
    await db.query(sql`delete from webhooks`);
    service.clock.advance(10 * HOUR_MS);
    expect(await run(app)).toEqual(NOTHING);
    expect(await listKeys(db)).toHaveLength(1);
  });

  it('seals with the new key what a node sealed with the old one within its minute, and keeps the old key until then', async () => {
    const [node, operator] = [await start(), await start()];
    const row = await insertRow(node.app.deps, tenants[0]!);
    await run(operator, { newKey: true });
    const late = await insertRow(node.app.deps, tenants[1]!);
    expect((await keyIdsIn([row, late])).size).toBe(2);
    service.clock.advance(HOUR_MS + 1);
    expect(await run(operator)).toEqual({ ...NOTHING, values: 2, deletedKeys: 1 });
    await expectReadable(await start(), [row, late]);
  });

  it('leaves a value that a node changes during the run, and seals it in the next', async () => {
    const node = await start();
    const rows = [
      await insertRow(node.app.deps, tenants[0]!),
      await insertRow(node.app.deps, tenants[0]!),
      await insertRow(node.app.deps, tenants[1]!),
    ];
    const changedRow = rows[0]!;
    let changes = 0;
    // Changes the value when the command has read it and is about to replace it.
    const meddling: RawDatabase = {
      ...db,
      async query<R extends object>(statement: Sql) {
        const isFirst = /^update webhooks set secret\b/.test(statement.text) && changes === 0;
        if (isFirst && statement.values.includes(changedRow.id)) {
          changes += 1;
          const sealed = await sealIn(node.app.deps.sealer, changedRow, 'secret', 'a newer secret');
          await db.query(sql`update webhooks set secret = ${sealed} where id = ${changedRow.id}`);
        }
        return db.query<R>(statement);
      },
    };
    const operator = await start(OLD, '', { db: meddling });
    const before = (await readSealed(db, changedRow)).secret;
    expect(await run(operator, { newKey: true })).toEqual({
      ...NOTHING,
      values: 5,
      changed: 1,
      createdKeys: 1,
    });
    expect((await readSealed(db, changedRow)).secret).not.toBe(before);
    expect(await openRow(node.app.deps.sealer, db, changedRow)).toContain('a newer secret');
    await expectReadable(node, rows.slice(1));
    expect(await run(operator)).toEqual({ ...NOTHING, values: 1 });
    expect(await openRow(node.app.deps.sealer, db, changedRow)).toContain('a newer secret');
    expect((await keyIdsIn(rows)).size).toBe(1);
  });

  it('reports values that cannot be opened, seals the others, and keeps the key of those values', async () => {
    const app = await start();
    const [row, copy] = [
      await insertRow(app.app.deps, tenants[0]!),
      await insertRow(app.app.deps, tenants[1]!),
    ];
    const { secret } = await readSealed(db, row);
    await db.query(sql`update webhooks set secret = ${secret} where id = ${copy.id}`);
    expect(await run(app, { newKey: true })).toBe(
      `3 values were encrypted again. 1 were not, because they cannot be decrypted: they were changed, or copied from another row (webhooks.secret of ${copy.id}).`,
    );
    expect((await readSealed(db, copy)).secret).toBe(secret);
    await expectReadable(app, [row]);
    service.clock.advance(2 * HOUR_MS);
    await run(app);
    expect(await listKeys(db)).toHaveLength(2);
  });

  it('changes nothing if a key needs a server secret that is not set', async () => {
    const row = await insertRow((await start(OLD)).app.deps, tenants[0]!);
    const [keys, values] = [await listKeys(db), await readSealed(db, row)];
    expect(await run(await start(NEW), { newKey: true })).toContain('Set SVC_SECRET_PREVIOUS');
    expect([await listKeys(db), await readSealed(db, row)]).toEqual([keys, values]);
  });

  it('works on an empty database', async () => {
    expect(await run(await start())).toEqual(NOTHING);
  });

  it('two runs at the same time leave every value readable', async () => {
    const app = await start();
    const rows = [];
    for (const tenantId of tenants) rows.push(await insertRow(app.app.deps, tenantId));
    await Promise.all([run(await start(), { newKey: true }), run(await start(), { newKey: true })]);
    await expectReadable(await start(), rows);
    // Keys that are created at the same time are a millisecond apart.
    service.clock.advance(HOUR_MS + 2);
    await run(await start());
    await expectReadable(await start(), rows);
    expect(await listKeys(db)).toHaveLength(1);
  });

  it.runIf(databaseKind !== 'citus')('names one tenant in each update on a spread database', async () => {
    const app = await start();
    const rows = [];
    for (const tenantId of tenants) rows.push(await insertRow(app.app.deps, tenantId));
    const spread = await start(OLD, '', { spread: true });
    expect(await run(spread, { newKey: true })).toMatchObject({ values: 6 });
    await expectReadable(spread, rows);
  });
});
