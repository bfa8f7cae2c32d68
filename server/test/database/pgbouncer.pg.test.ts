// @module-tag if-touched @core docs/operating.md: starts PgBouncer with the block of the guide
// @module-tag not-on-citus: has a database of its own
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { guide } from '../support/contract/guides.js';
import { freshDatabase } from '../support/database.js';
import { freePort } from '../support/process.js';
import { type Account, type Service, startService } from '../support/service.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const NOBODY = 65_534;

const said = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
const version = / (\d+)\.(\d+)/
  .exec(said.stdout ?? '')
  ?.slice(1)
  .map(Number) as [number, number] | undefined;
/** Older versions have no prepared statements in transaction mode. */
const mode = version && (version[0] > 1 || version[1] >= 21) ? 'transaction' : 'session';

/** The block of the guide with the address and the log-in of the test's database. */
function configurationOf(url: URL, port: number): string {
  const [, block = ''] = /```text\n(\[databases\][^`]*)```/.exec(guide('docs/operating.md')) ?? [];
  const { hostname, username, password, pathname } = url;
  const target = `host=${hostname} port=${url.port || 5432} dbname=${pathname.slice(1)} user=${decodeURIComponent(username)}${password && ` password=${decodeURIComponent(password)}`}`;
  const replaced = block
    .replace(/host=\S+ port=\S+ dbname=\S+/, target)
    .replace(/listen_port = .*/, `listen_port = ${port}\nunix_socket_dir =`)
    .replace(/auth_type = .*\nauth_file = .*/, 'auth_type = any');
  if (mode === 'transaction') return replaced;
  return replaced
    .replace('pool_mode = transaction', 'pool_mode = session')
    .replace(/max_prepared_statements.*\n/, '');
}

/** PgBouncer does not run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

describe.skipIf(said.error !== undefined)('PgBouncer as in the guide [service/database-settings]', () => {
  let folder: string;
  let pooler: ChildProcess;
  let service: Service;
  let account: Account;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    await fresh.db.close();
    const port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'));
    const path = join(folder, 'pgbouncer.ini');
    writeFileSync(path, configurationOf(new URL(fresh.url as string), port));
    chmodSync(folder, 0o755);
    chmodSync(path, 0o644);
    pooler = spawn(PROGRAM, ['-q', path], { ...unprivileged, stdio: 'ignore' });
    await vi.waitFor(async () => expect(await answers(port)).toBe(true));
    const db = openPostgres({ url: `postgres://any@127.0.0.1:${port}/svc`, connections: 6 });
    service = await startService({ db });
    account = await service.signUp({ plan: 'enterprise' });
    close = async () => {
      await service.close();
      await db.close();
    };
  });
  afterAll(async () => {
    await close?.();
    pooler?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`serves concurrent writes and reads in ${mode} mode`, async () => {
    const create = (at: number) =>
      service.call('POST', '/v1/devices', { as: account.key, body: { name: `Door ${at}` } });
    const list = () => service.call('GET', '/v1/devices', { as: account.key });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? create(at) : list())),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, at) => (at % 2 === 0 ? 201 : 200)));
    expect((await list()).body.devices).toHaveLength(20);
    expect((await service.call('GET', '/api/health')).body.status).toBe('ok');
  });

  it('gives each statement the timeout of the service', async () => {
    const rows = await service.db.query(sql.query`show statement_timeout`);
    expect(rows).toEqual([{ statement_timeout: '5s' }]);
  });
});
