import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/config/config.js';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { runCommand } from '../../src/bin/commands.js';
import { prepareSealing } from '../../src/bin/sealing.js';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { createKey } from '../../src/features/sealing/sealing.js';
import { countStatements, freshDatabase } from '../support/database.js';
import { manualClock, type Service, startService } from '../support/service.js';
import { clear, insertRow, keyIdOf, listKeys, openRow, readSealed, sealIn, valuesOf } from './sealed-rows.js';

const OLD = 'the secret before, 32 bytes and more!';
const NEW = 'the secret that follows, 32 bytes and more';
const OTHER = 'the secret of another service, 32 bytes';
const ROW = { tenantId: crypto.randomUUID(), environment: 'live', id: crypto.randomUUID() } as const;

const secretId = (secret: string) => createKeyring(secret).current.kid;
const seal = ({ app }: Service, value = 'x') => sealIn(app.deps.sealer, ROW, 'secret', value);
const open = async ({ app }: Service, sealed: string) =>
  String(await app.deps.sealer.open('webhooks', { ...ROW, table: 'webhooks', column: 'secret' }, sealed));

describe('sealing with the keys in the database [events/sealed-secrets]', () => {
  let db: RawDatabase;
  beforeAll(async () => {
    // Keys belong to no tenant, so this file needs its own database.
    ({ db } = await freshDatabase());
  });
  beforeEach(() => clear(db));
  afterAll(() => db.close());
  const start = (secret = OLD, previous = '', options = {}) =>
    startService({ db, secret, env: { SVC_SECRET_PREVIOUS: previous }, ...options });

  it('creates one key when apps seal their first values at the same time', async () => {
    const apps = await Promise.all([start(), start(), start(), start(), start()]);
    expect(await listKeys(db)).toEqual([]);
    const sealed = await Promise.all(apps.flatMap((app) => [seal(app), seal(app)]));
    expect(await listKeys(db)).toHaveLength(1);
    expect(new Set(sealed.map(keyIdOf)).size).toBe(1);
    for (const app of apps) for (const value of sealed) expect(await open(app, value)).toBe('x');
  });

  it('creates one key while one app has the new server secret and another the old one', async () => {
    const [first, second] = await Promise.all([start(OLD, NEW), start(NEW, OLD)]);
    const sealed = await Promise.all([seal(first), seal(second)]);
    expect(await listKeys(db)).toHaveLength(1);
    for (const app of [first, second]) for (const value of sealed) expect(await open(app, value)).toBe('x');
  });

  it('stores the key only in sealed form', async () => {
    const bytes = Buffer.alloc(32, 7);
    const random = { bytes: (size: number) => bytes.subarray(0, size) };
    await seal(await start(OLD, '', { random }));
    const [key] = await listKeys(db);
    expect(key!.secret_id).toBe(secretId(OLD));
    expect(Buffer.from(key!.sealed, 'base64url').subarray(28)).toHaveLength(32);
    expect(Buffer.from(key!.sealed, 'base64url').subarray(28)).not.toEqual(bytes);
  });

  it('asks the database once a minute while it seals, and not at all to open values', async () => {
    const counting = countStatements(db);
    const app = await start(OLD, '', { db: counting });
    const sealed = await seal(app);
    counting.statements.length = 0;
    app.clock.advance(59_999);
    await seal(app);
    await open(app, sealed);
    expect(counting.statements).toEqual([]);
    app.clock.advance(1);
    await open(app, sealed);
    expect(counting.statements).toEqual([]);
    await seal(app);
    expect(counting.statements).toHaveLength(1);
  });

  it('seals with a new key of another node after a minute, and opens its values immediately', async () => {
    const clock = manualClock();
    const [first, second] = await Promise.all([start(OLD, '', { clock }), start(OLD, '', { clock })]);
    const old = keyIdOf(await seal(first));
    await seal(second);
    await createKey(second.app.deps);
    expect(keyIdOf(await seal(first))).toBe(old);
    const third = await start(OLD, '', { clock });
    const sealed = await seal(third);
    expect(keyIdOf(sealed)).not.toBe(old);
    expect(await open(second, sealed)).toBe('x');
    clock.advance(60_000);
    expect(keyIdOf(await seal(first))).toBe(keyIdOf(sealed));
  });

  it('reads the keys again after the clock stepped back', async () => {
    const app = await start();
    const old = keyIdOf(await seal(app));
    await createKey(app.app.deps);
    app.clock.advance(-1);
    expect(keyIdOf(await seal(app))).not.toBe(old);
  });

  it('creates the newest key also on a node whose clock is behind', async () => {
    const app = await start();
    const old = keyIdOf(await seal(app));
    const behind = manualClock(app.clock.now() - 3_600_000);
    await createKey({ ...app.app.deps, clock: behind });
    app.clock.advance(60_000);
    expect(keyIdOf(await seal(app))).not.toBe(old);
  });

  it('does not open values of a key that was deleted, or of another deployment', async () => {
    const sealed = await seal(await start());
    await db.query(sql`delete from sealing_keys`);
    await expect(open(await start(), sealed)).rejects.toThrow('unknown key');
    const app = await start();
    await seal(app);
    await expect(open(app, sealed)).rejects.toThrow('sealed elsewhere, or was changed');
  });

  it('does not seal with an older key if the newest is under an unknown server secret', async () => {
    const app = await start();
    await seal(app);
    const other = await start(OTHER);
    await createKey(other.app.deps);
    app.clock.advance(60_000);
    await expect(seal(app)).rejects.toThrow('The newest key is sealed under an unknown server secret.');
  });

  describe('at a start', () => {
    it('creates no key, and succeeds on an empty database', async () => {
      await prepareSealing((await start()).app.deps);
      expect(await listKeys(db)).toEqual([]);
    });

    it('seals the keys under the new server secret, so the old one can be removed', async () => {
      const before = await start(OLD);
      const { tenantId } = await before.signUp();
      const row = await insertRow(before.app.deps, tenantId);
      const values = await readSealed(db, row);
      const [key] = await listKeys(db);

      const during = await start(NEW, OLD);
      await prepareSealing(during.app.deps);
      expect(await listKeys(db)).toEqual([
        { id: key!.id, secret_id: secretId(NEW), sealed: expect.not.stringContaining(key!.sealed) },
      ]);
      expect(await readSealed(db, row)).toEqual(values);

      const after = await start(NEW);
      await prepareSealing(after.app.deps);
      expect(await openRow(after.app.deps.sealer, db, row)).toEqual(valuesOf(row));
    });

    it('leaves keys under the current server secret as they are', async () => {
      const app = await start();
      await seal(app);
      const keys = await listKeys(db);
      await prepareSealing(app.app.deps);
      expect(await listKeys(db)).toEqual(keys);
    });

    it('works on several nodes at the same time', async () => {
      const sealed = await seal(await start(OLD));
      const nodes = await Promise.all([start(NEW, OLD), start(NEW, OLD), start(NEW, OLD)]);
      await Promise.all(nodes.map(({ app }) => prepareSealing(app.deps)));
      expect(await open(await start(NEW), sealed)).toBe('x');
    });

    it('fails if a key needs a server secret that is not set, and says what to do', async () => {
      await seal(await start(OLD));
      for (const [secret, previous] of [
        [NEW, ''],
        [NEW, OTHER],
      ] as const) {
        const { app } = await start(secret, previous);
        const failure = await prepareSealing(app.deps).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ConfigError);
        expect(String(failure)).toContain(
          'Set SVC_SECRET_PREVIOUS to the secret that the server used before.',
        );
      }
    });

    it('is what `svc doctor` predicts', async () => {
      const inspect = async ({ app }: Service) => {
        const reply = await runCommand(app.deps, { command: 'inspect', input: {} });
        return reply.ok ? reply.result : reply.error;
      };
      await seal(await start(OLD));
      expect(await inspect(await start(NEW, OLD))).toMatchObject({ sealing: null });
      expect(await inspect(await start(NEW))).toMatchObject({
        sealing: {
          problem: expect.stringMatching(/is encrypted with another server secret$/),
          next: expect.stringMatching(/^Set SVC_SECRET_PREVIOUS/),
        },
      });
    });

    it('fails if a key was changed', async () => {
      const { app, ...service } = await start();
      await seal({ app, ...service });
      await db.query(sql`update sealing_keys set sealed = 'A' || substr(sealed, 2) || 'A'`);
      await expect(prepareSealing(app.deps)).rejects.toThrow(/was changed.* Restore the table sealing_keys/);
    });

    it('fails if the key of a sealed value is not there, and names it', async () => {
      const service = await start();
      const { deps } = service.app;
      const { tenantId } = await service.signUp();
      const row = await insertRow(deps, tenantId);
      await prepareSealing(deps);
      const missing = crypto.randomUUID();
      await db.query(sql`update webhooks set previous_secret = ${`v1.${missing}.AAAA`} where id = ${row.id}`);
      await expect(prepareSealing(deps)).rejects.toThrow(
        `not in the table sealing_keys (${missing}). Restore the table sealing_keys from a backup`,
      );
    });

    it('fails if a value is not sealed, and does not print the value', async () => {
      const service = await start();
      const { tenantId } = await service.signUp();
      const row = await insertRow(service.app.deps, tenantId);
      await db.query(sql`update webhooks set previous_secret = 'raw.hunter2' where id = ${row.id}`);
      const failure = await prepareSealing(service.app.deps).catch(String);
      expect(failure).toContain('(an invalid id)');
      expect(failure).not.toContain('hunter2');
    });
  });
});
