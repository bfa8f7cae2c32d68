import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Cluster, findCitus, makeCluster, runOn, SETTINGS } from '../../../scripts/testing/citus.mjs';
import { makePostgres } from '../../../scripts/testing/test-databases.mjs';
import { createLog } from '../../src/base/telemetry/log.js';
import { openMachines } from '../../src/db/citus/machines.js';
import type { RawDatabase } from '../../src/db/db.js';
import { type Migration, migrate, readMigrations } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { createOnCluster } from '../support/citus.js';
import { samplesOf } from '../support/contract/guides.js';
import { migrationsFolder } from '../support/database.js';
import { openSession, proveFor } from '../support/phone.js';
import { type Account, ADMIN_KEY, freshAddress, type Service, startService } from '../support/service.js';
import { runSvc } from '../support/svc.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const SVC_SECRET = 'the secret of the tests, 32 bytes and more';

/**
 * A coordinator and two workers on this machine, which these tests stop and start. `npm run test:long -- citus` says so if it skips
 * them: they need a PostgreSQL with the extension Citus.
 */
describe.skipIf(findCitus() === undefined)('on a Citus cluster', () => {
  let cluster: Cluster;
  let created = 0;
  const opened: { close(): Promise<unknown> }[] = [];
  beforeAll(async () => {
    cluster = await makeCluster();
  }, 60_000);
  afterAll(async () => {
    for (const one of opened.reverse()) await one.close();
    await cluster?.remove();
  });

  const open = (url: string): RawDatabase => {
    const db = openPostgres({ url, connections: 10 });
    opened.push(db);
    return db;
  };
  const svc = (url: string, ...args: string[]) =>
    runSvc([...args, '--json'], { DATABASE_URL: url, SVC_SECRET });
  /** The URL of the same database on another machine. */
  const at = (url: string, machine: number) => {
    const { hostname, port } = new URL(cluster.machines[machine]!.url);
    return Object.assign(new URL(url), { hostname, port }).href;
  };
  /** A database on every machine, migrated and without rows. */
  async function migrated(): Promise<string> {
    created += 1;
    const url = await createOnCluster(cluster.url, `cluster_${created}`);
    expect((await svc(url, 'migrate')).code).toBe(0);
    return url;
  }
  async function spread(): Promise<string> {
    const url = await migrated();
    expect((await svc(url, 'scale', 'citus', 'apply')).json).toMatchObject({ applied: true });
    return url;
  }
  const env = { PLAN_WINDOW_MULTIPLIER: '1000' };
  /** A node with this URL as its DATABASE_URL. */
  async function start(url: string): Promise<Service> {
    const openOn = (host: string, port: number) =>
      openPostgres({ url: Object.assign(new URL(url), { host: `${host}:${port}` }).href, connections: 8 });
    const machines = openMachines({
      entry: openPostgres({ url, connections: 10 }),
      open: openOn,
      log: createLog('silent'),
    });
    opened.push(machines.db);
    await machines.probe();
    const service = await startService({ machines, env });
    opened.push(service);
    return service;
  }
  const integrity = async (service: Service) =>
    (await service.call('GET', '/api/admin/audit-integrity', { headers: { 'x-api-key': ADMIN_KEY } })).body;
  /** The samples of a page in that language, for other machines than those it names. */
  const samples = (page: string, language: string, urls: Readonly<Record<string, string>>) =>
    samplesOf(page)
      .filter(({ info }) => info === language)
      .map(({ code }) =>
        Object.entries(urls).reduce((text, [name, url]) => {
          const { hostname, port } = new URL(url);
          return text
            .replaceAll(`'${name}', 5432`, `'${hostname}', ${port}`)
            .replaceAll(`'${name}' and nodeport = 5432`, `'${hostname}' and nodeport = ${port}`);
        }, code),
      );
  const prepared = async () => {
    const all = await Promise.all(
      cluster.machines.map(({ url }) => runOn(url, 'select count(*)::integer as n from pg_prepared_xacts')),
    );
    return all.reduce((sum, [rows]) => sum + rows?.[0].n, 0);
  };

  describe('svc scale citus', () => {
    it('does what docs/capacity.md says, in its order', async () => {
      created += 1;
      const database = `page_${created}`;
      const urls = cluster.machines.map(
        ({ url }) => Object.assign(new URL(url), { pathname: `/${database}` }).href,
      );
      const [url, ...workers] = urls as [string, string, string];
      const [extension, machines] = samples('docs/capacity.md', 'sql', {
        'coordinator.example': url,
        'worker-1.example': workers[0] as string,
        'worker-2.example': workers[1] as string,
      });
      for (const machine of cluster.machines)
        await runOn(
          machine.url,
          'set citus.enable_create_database_propagation to off',
          `create database ${database}`,
        );
      for (const one of urls) await runOn(one, extension as string);
      await runOn(url, machines as string);
      const commands = samples('docs/capacity.md', 'sh', {}).flatMap((code) =>
        [...code.matchAll(/^npm run svc -- (.+)$/gm)].map(([, args]) => args as string),
      );
      expect(commands).toEqual(['migrate', 'scale citus plan', 'scale citus apply']);
      for (const command of commands) expect((await svc(url, ...command.split(' '))).code).toBe(0);
      const service = await start(url);
      await openSession(service, await service.signUp({ plan: 'enterprise' }));
      expect(await integrity(service)).toMatchObject({ status: 'pass' });
    });

    it('spreads a database that has accounts, keeps every row and counts none twice', async () => {
      const url = await migrated();
      const before = openPostgres({ url, connections: 4 });
      const plain = await startService({ db: before });
      const account = await plain.signUp({ plan: 'enterprise' });
      await openSession(plain, account);
      const overview = async (service: Service) =>
        (await service.call('GET', '/api/console/overview?environment=live', { as: account.token })).body
          .counts;
      const counts = await overview(plain);

      // While a node is connected it would go on as if the database were on one machine.
      const refused = await svc(url, 'scale', 'citus', 'apply');
      expect(refused.code).not.toBe(0);
      expect(refused.err).toContain('Stop all of them');
      await plain.close();
      await before.close();

      const plan = await svc(url, 'scale', 'citus', 'plan');
      expect(plan.json.statements).toContain("select create_distributed_table('audit_events', 'tenant_id')");
      const { json } = await svc(url, 'scale', 'citus', 'apply');
      expect(json).toMatchObject({ applied: true, shards: 32, tables: { tenant: 21, everywhere: 10 } });
      expect(json.workers).toHaveLength(2);
      expect((await svc(url, 'scale', 'citus', 'apply')).json.applied).toBe(false);
      expect((await svc(url, 'scale', 'citus', 'plan')).json.statements).toEqual([]);

      const service = await start(url);
      expect(await overview(service)).toEqual(counts);
      expect(await integrity(service)).toMatchObject({ status: 'pass' });
      await openSession(service, account);
    });

    it('refuses a worker, a database without Citus and a cluster without workers, and says what to do', async () => {
      const url = await spread();
      expect((await svc(at(url, 1), 'scale', 'citus', 'plan')).err).toContain('is a worker of the cluster');
      for (const [name, sentence, statements] of [
        ['without_citus', 'has no Citus', []],
        ['without_workers', 'has no workers', ['create extension citus']],
      ] as const) {
        await runOn(
          cluster.url,
          'set citus.enable_create_database_propagation to off',
          `create database ${name}`,
        );
        const alone = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
        await runOn(alone, ...statements);
        await svc(alone, 'migrate');
        expect((await svc(alone, 'scale', 'citus', 'apply')).err).toContain(sentence);
      }
    });
  });

  it('passes the suites of the contract', { timeout: 30 * 60_000 }, async () => {
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--project=citus', '--reporter=default'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, SVC_TESTS: '', CITUS_URL: cluster.url },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    const [code] = await once(child, 'close');
    expect(code, output.slice(-10_000)).toBe(0);
  });

  it('sends at most four statements of a write to one machine, and commits on it alone', async () => {
    const url = await spread();
    const seen: string[] = [];
    const notices = vi.spyOn(
      pg.Client.prototype as unknown as { _handleNotice(message: { message: string }): void },
      '_handleNotice',
    );
    notices.mockImplementation(({ message }) => void seen.push(message));
    try {
      const logged = `${url}?options=${encodeURIComponent('-c citus.log_remote_commands=on -c client_min_messages=notice')}`;
      const service = await startService({ db: open(logged), env });
      opened.push(service);
      const { key } = await service.signUp({ plan: 'enterprise' });
      const write = () =>
        service.call('POST', '/v1/verifications', { as: key, body: { method: 'manual', result: 'pass' } });
      // The first writes plan their statements.
      for (let n = 0; n < 8; n += 1) expect((await write()).status).toBe(201);
      await service.app.deps.meter.flush();
      seen.length = 0;
      expect((await write()).status).toBe(201);
      const issued = seen.filter(
        (message) => message.startsWith('issuing ') && !/usage_(hours|months)|recent_calls/.test(message),
      );
      expect(issued.filter((message) => /PREPARE TRANSACTION/.test(message))).toEqual([]);
      const [first, ...rest] = issued.map((message) => message.replace(/^issuing /, ''));
      expect(first).toMatch(/^BEGIN/);
      expect(rest.at(-1)).toBe('COMMIT');
      expect(rest.slice(0, -1)).toHaveLength(4);
    } finally {
      notices.mockRestore();
    }
  });

  it('lets a node enter through a worker', async () => {
    const url = await spread();
    const nodes = [await start(url), await start(at(url, 1))] as const;
    expect(await migrate(open(at(url, 1)), await readMigrations(migrationsFolder))).toEqual([]);
    const account = await nodes[1].signUp({ plan: 'enterprise' });
    const headers = { 'idempotency-key': 'once' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        nodes[n % 2]!.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' }, headers }),
      ),
    );
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.device.id));
    expect(ids.size).toBe(1);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        nodes[n % 2]!.call('POST', '/v1/devices', { as: account.key, body: { name: `Door ${n}` } }),
      ),
    );
    for (const node of nodes) {
      const { body } = await node.call('GET', '/v1/devices?limit=100', { as: account.key });
      expect(body.devices).toHaveLength(41);
      await openSession(node, account);
      expect(await integrity(node)).toMatchObject({ status: 'pass' });
    }
  });

  describe('while a worker is down', () => {
    it('only its accounts notice, health says how many, and nothing acknowledged is lost', async () => {
      const url = await spread();
      const service = await start(url);
      const machines = service.app.deps.machines!;
      const accounts: Account[] = [];
      for (let n = 0; n < 12; n += 1) accounts.push(await service.signUp({ plan: 'enterprise' }));
      const people = await Promise.all(accounts.map((account) => openSession(service, account)));
      const placed = await service.db.query<{
        id: string;
        port: number;
      }>(sql`select t.id, n.nodeport as port from tenants t
        join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('audit_heads', t.id)
        join pg_dist_node n on n.groupid = p.groupid`);
      const port = Number(new URL(cluster.machines[2]!.url).port);
      const onIt = new Set(placed.filter((row) => row.port === port).map(({ id }) => id));
      expect(onIt.size).toBeGreaterThan(0);
      expect(onIt.size).toBeLessThan(12);

      const acknowledged = new Map<string, string[]>(accounts.map(({ tenantId }) => [tenantId, []]));
      let isLoading = true;
      const load = Promise.all(
        accounts.map(async ({ key, tenantId }) => {
          while (isLoading) {
            const reply = await service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } });
            expect([201, 503]).toContain(reply.status);
            if (reply.status === 201) acknowledged.get(tenantId)?.push(reply.body.device.id);
          }
        }),
      );
      await vi.waitUntil(() => [...acknowledged.values()].every((ids) => ids.length > 3), 30_000);
      await cluster.machines[2]!.stop('SIGQUIT');
      await machines.probe();
      const health = async () => (await service.call('GET', '/api/health')).body;
      expect(await health()).toMatchObject({
        status: 'degraded',
        database: true,
        subsystems: {
          database: {
            status: 'degraded',
            spread: { machines: 3, lost: 1, affectedAccounts: onIt.size / 12 },
          },
        },
      });
      expect((await service.call('GET', '/api/health/ready')).status).toBe(200);

      for (const [n, account] of accounts.entries()) {
        const { key, email, password, tenantId } = account;
        const body = await proveFor(service, people[n]!.person, { tenantId });
        const replies = [
          await service.call('POST', '/v1/identity/verify', { as: key, body }),
          await service.call('POST', '/v1/verifications', {
            as: key,
            body: { method: 'manual', result: 'pass' },
          }),
          await service.call('GET', '/v1/devices', { as: key }),
          await service.call('POST', '/api/console/login', { body: { email, password } }),
        ].map(({ status }) => status);
        expect(replies, onIt.has(tenantId) ? 'on the lost machine' : 'on another').toEqual(
          onIt.has(tenantId) ? [503, 503, 503, 503] : [200, 201, 200, 200],
        );
      }

      const email = 'nobody@example.com';
      const signUp = () =>
        service.call('POST', '/api/console/signup', {
          body: { email, password: 'correct horse 7 battery staple', companyName: 'Later' },
          address: freshAddress(),
        });
      const refused = await signUp();
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toBeDefined();
      expect(await service.db.query(sql`select 1 from tenants where email = ${email}`)).toEqual([]);

      await cluster.machines[2]!.start();
      const counts = new Map([...acknowledged].map(([id, ids]) => [id, ids.length]));
      await vi.waitUntil(() => [...acknowledged].every(([id, ids]) => ids.length > counts.get(id)! + 3), {
        timeout: 60_000,
      });
      isLoading = false;
      await load;
      await machines.probe();
      expect(await health()).toMatchObject({ status: 'ok' });
      expect((await signUp()).status).toBe(201);
      for (const { tenantId } of accounts) {
        const rows = await service.db.query<{ id: string }>(
          sql`select id from devices where tenant_id = ${tenantId}`,
        );
        const stored = new Set(rows.map(({ id }) => id));
        expect(acknowledged.get(tenantId)?.filter((id) => !stored.has(id))).toEqual([]);
      }
      expect(await integrity(service)).toMatchObject({ status: 'pass' });
      // Citus ends what a lost machine left half committed, at the latest after a minute.
      await vi.waitUntil(async () => (await prepared()) === 0, { timeout: 90_000, interval: 1_000 });
    });
  });

  it('goes on with the standby of a lost worker', async () => {
    const url = await spread();
    const worker = cluster.machines[2]!;
    await worker.stop('SIGINT');
    const standby = await makePostgres({ installed: findCitus()!, settings: SETTINGS, standbyOf: worker });
    opened.push({ close: standby.remove });
    await worker.start();
    await standby.start();
    const service = await start(url);
    const accounts: Account[] = [];
    for (let n = 0; n < 6; n += 1) accounts.push(await service.signUp({ plan: 'enterprise' }));
    const create = () =>
      Promise.all(
        accounts.map(({ key }) => service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } })),
      );
    expect((await create()).map(({ status }) => status)).toEqual(Array(6).fill(201));
    const [[at]] = (await runOn(worker.url, 'select pg_current_wal_lsn() as lsn')) as [[{ lsn: string }]];
    await vi.waitUntil(
      async () =>
        (await runOn(standby.url, `select pg_last_wal_replay_lsn() >= '${at.lsn}' as "isThere"`))[0]?.[0]
          .isThere,
      10_000,
    );
    await worker.stop('SIGQUIT');
    expect((await create()).map(({ status }) => status)).toContain(503);
    const [, update] = samples('docs/runbooks/citus.md', 'sql', {
      'worker-2-standby.example': standby.url,
      'worker-2.example': worker.url,
    });
    await runOn(standby.url, 'select pg_promote()');
    await runOn(url, update as string);
    await vi.waitUntil(async () => {
      await service.app.deps.machines?.probe();
      return (await create()).every(({ status }) => status === 201);
    }, 30_000);
    expect(await integrity(service)).toMatchObject({ status: 'pass' });
    await worker.start();
  });

  it('survives a lost coordinator: everything gets 503 until it is back, and nothing acknowledged is lost', async () => {
    const url = await spread();
    const service = await start(url);
    const { key, tenantId } = await service.signUp({ plan: 'enterprise' });
    const acknowledged: string[] = [];
    let isLoading = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (isLoading) {
          const reply = await service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } });
          expect([201, 503]).toContain(reply.status);
          if (reply.status === 201) acknowledged.push(reply.body.device.id);
        }
      }),
    );
    await vi.waitUntil(() => acknowledged.length > 20, 30_000);
    await cluster.machines[0]!.stop('SIGQUIT');
    expect((await service.call('GET', '/api/health')).status).toBe(503);
    await cluster.machines[0]!.start();
    const before = acknowledged.length;
    await vi.waitUntil(() => acknowledged.length > before + 20, { timeout: 60_000 });
    isLoading = false;
    await load;
    const rows = await service.db.query<{ id: string }>(
      sql`select id from devices where tenant_id = ${tenantId}`,
    );
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(await integrity(service)).toMatchObject({ status: 'pass' });
  });

  describe('a later migration', () => {
    const later = (text: string, number = 1): Migration => ({
      name: `900${number}_later`,
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    });
    const TEXT = `
      -- A table of a tenant that refers to another, as a later feature adds it.
      alter table devices add column later_note text constraint later_note_short check (length(later_note) < 100);
      create index devices_later on devices (tenant_id, environment, later_note);
      update devices set later_note = 'x' where later_note is null;
      drop trigger devices_counted on devices;
      create trigger devices_counted after insert or delete on devices for each row execute function count_record('devices')`;

    it('changes every machine, while a node of the old version writes', async () => {
      const url = await spread();
      const service = await start(url);
      const { key } = await service.signUp({ plan: 'enterprise' });
      const create = () => service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } });
      expect((await create()).status).toBe(201);
      expect(await migrate(open(url), [later(TEXT)])).toEqual(['9001_later']);
      expect(await migrate(open(at(url, 1)), [later(TEXT)])).toEqual([]);
      expect((await create()).status).toBe(201);
      const notes = await service.db.query(sql`select later_note from devices order by id`);
      expect(notes).toEqual([{ later_note: 'x' }, { later_note: null }]);
      expect(await integrity(service)).toMatchObject({ status: 'pass' });
    });

    it('that is killed in the middle changes no machine, and applies at the next start', async () => {
      const url = await spread();
      const db = open(url);
      const slow = later(`${TEXT}; select pg_sleep(60)`, 2);
      const failed = migrate(db, [slow]).catch((error: unknown) => error);
      await vi.waitUntil(async () => {
        const ended = await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'select pg_sleep%' and pid <> pg_backend_pid()`);
        return ended.length > 0;
      }, 30_000);
      expect(await failed).toBeInstanceOf(Error);
      const columns = () =>
        db.query(
          sql`select 1 from pg_attribute where attrelid = 'devices'::regclass and attname = 'later_note'`,
        );
      expect(await columns()).toEqual([]);
      expect(await migrate(db, [later(TEXT, 2)])).toEqual(['9002_later']);
      expect(await columns()).toHaveLength(1);
      await vi.waitUntil(async () => (await prepared()) === 0, { timeout: 90_000, interval: 1_000 });
    });
  });

  it('spreads 1,000 accounts over all shards, and deletes what is due of each', async () => {
    const url = await spread();
    const db = open(url);
    await runOn(
      url,
      `insert into tenants (id, email, company_name, password_hash, plan, created_at)
        select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n || '@example.com', 'A', '', 'free', now()
        from generate_series(1, 1000) n`,
      `insert into spent_nonces (tenant_id, environment, nonce, expires_at)
        select id, 'live', gen_random_uuid(), now() + (n - 2) * interval '1 day' from tenants, generate_series(1, 3) n`,
    );
    const [shards] = await db.query<{ n: number }>(sql`select count(distinct
      get_shard_id_for_distribution_column('audit_heads', id)) as n from tenants`);
    expect(shards?.n).toBe(32);
    await deleteExpired({
      db: { ...db, isSpread: true },
      clock: { now: () => Date.now() },
      signal: new AbortController().signal,
    } as never);
    const [left] = await db.query<{ n: number; due: number }>(
      sql`select count(*) as n, count(*) filter (where expires_at < now()) as due from spent_nonces`,
    );
    expect([left?.n, left?.due]).toEqual([1_000, 0]);
  });

  it('takes another worker, and moves accounts to it while they write', async () => {
    const url = await spread();
    const service = await start(url);
    const accounts: Account[] = [];
    for (let n = 0; n < 8; n += 1) accounts.push(await service.signUp({ plan: 'enterprise' }));
    const created: string[] = [];
    let isLoading = true;
    const load = Promise.all(
      accounts.map(async ({ key }) => {
        while (isLoading) {
          const reply = await service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } });
          expect([201, 503]).toContain(reply.status);
          if (reply.status === 201) created.push(reply.body.device.id);
        }
      }),
    );
    const added = await cluster.addMachine();
    const { hostname, port } = new URL(added.url);
    const database = new URL(url).pathname.slice(1);
    await runOn(added.url, `create database ${database}`);
    await runOn(Object.assign(new URL(url), { hostname, port }).href, 'create extension citus');
    const [steps] = samples('docs/runbooks/citus.md', 'sql', { 'worker-3.example': added.url });
    await runOn(url, ...(steps as string).trim().split('\n'));
    isLoading = false;
    await load;
    const [spreadOver] = await service.db.query<{ n: number }>(sql`select count(distinct p.groupid) as n
      from pg_dist_shard s join pg_dist_placement p using (shardid) where s.logicalrelid = 'audit_heads'::regclass`);
    expect(spreadOver?.n).toBe(3);
    const stored = new Set(
      (await service.db.query<{ id: string }>(sql`select id from devices`)).map(({ id }) => id),
    );
    expect(created.filter((id) => !stored.has(id))).toEqual([]);
    expect(await integrity(service)).toMatchObject({ status: 'pass' });
    for (const { key } of accounts)
      expect((await service.call('POST', '/v1/devices', { as: key, body: { name: 'Door' } })).status).toBe(
        201,
      );
  });
});
