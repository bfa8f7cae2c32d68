// @module-tag if-touched @core server/src/features/restore/ docs/ cli/: restores whole databases, by the commands of the runbook
// @module-tag not-on-citus: dumps and restores a plain PostgreSQL
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guide, samplesIn } from '../support/contract/guides.js';
import { paste, requirePrograms } from '../support/contract/transcript.js';
import {
  createDataFolder,
  endProcesses,
  freePort,
  freshSettings,
  type Installation,
  install,
  type Running,
  startProcess,
} from '../support/process.js';
import { ADMIN_KEY } from '../support/service.js';
import { runSvc } from '../support/svc.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = 'docs/runbooks/restore.md';
const TIMEOUT_MS = 300_000;
const PASSWORD = 'correct horse 7 battery';

const hasDump = spawnSync('pg_dump', ['--version']).error === undefined;

/** The built command line and server instead of those that npm would build first. `npm start` returns when the server serves. */
const BEFORE = `npm() {
  if [ "$1" = run ]; then shift 3; node "$CLONE/cli/dist/main.js" "$@"; return; fi
  exec 3< <(exec node "$CLONE/server/dist/bin/serve.js")
  trap "kill -KILL $!" EXIT
  while read -r line <&3; do if [[ $line == "Serving on"* ]]; then return; fi; done
  return 1
}
`;
const INTEGRITY = `curl -sf "$BASE_URL/api/admin/audit-integrity" -H "X-API-Key: $ADMIN_API_KEY"\n`;
const PERSON = `curl -s "$BASE_URL/v1/users/$PERSON" -H "Authorization: Bearer $KEY"\n`;
const WITH_LEAKED = `curl -s "$BASE_URL/v1/users" -H "Authorization: Bearer $LEAKED"\n`;

describe('docs/runbooks/restore.md, followed word by word', { timeout: TIMEOUT_MS }, () => {
  let installed: Installation;
  let folder: string;
  let env: Record<string, string>;
  let server: Running;
  beforeAll(() => {
    requirePrograms('bash', 'curl');
    installed = install();
  });
  afterAll(() => installed.remove());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-after-restore-'));
    mkdirSync(join(folder, 'lib'));
    mkdirSync(join(folder, 'data'));
  });
  afterEach(() => {
    endProcesses();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async (method: string, path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${env.BASE_URL}${path}`, init);
    const text = await reply.text();
    expect(reply.status, text).toBeLessThan(300);
    return text;
  };
  const post = async (path: string, key: string, body: object) =>
    JSON.parse(await call('POST', path, key, body));

  async function start(settings: Record<string, string>): Promise<void> {
    const port = await freePort();
    env = {
      ...settings,
      HOME: folder,
      CLONE: root,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ADMIN_API_KEY: ADMIN_KEY,
      LOG_LEVEL: 'warn',
      BACKUP: join(folder, 'backup'),
      ERASURES_FILE: join(folder, 'lib', 'erasures.jsonl'),
    };
    mkdirSync(env.BACKUP as string);
    server = await startProcess(installed, env);
    await server.serving;
  }
  async function stop(): Promise<void> {
    server.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  }
  /** How a start on the restored database ends. */
  const startAgain = async (settings: Record<string, string> = {}) => {
    const again = await startProcess(installed, { ...env, ...settings });
    return again.ended;
  };

  /** A person and an API key, which are erased and revoked after `backUp`. Returns the exports of both chains. */
  async function live(backUp: () => Promise<void>): Promise<void> {
    const signup = { email: 'ada@example.com', password: PASSWORD, companyName: 'Example' };
    const { token, apiKey } = await post('/api/console/signup', '', signup);
    const wide = {
      name: 'Operator',
      environment: 'live',
      scopes: ['users:read', 'users:erase', 'audit:read'],
    };
    const own = (await post('/api/console/keys', token, wide)).apiKey.key;
    const leaked = (await post('/api/console/keys', token, { name: 'Leaked', environment: 'live' })).apiKey;
    const test = (
      await post('/api/console/keys', token, {
        name: 'Test',
        environment: 'test',
        scopes: ['audit:read'],
      })
    ).apiKey.key;
    const { did, commitment } = createIdentity();
    const { userId } = await post('/v1/identity/register', apiKey.key, { did, commitment });
    const heads = await runSvc(['audit', 'heads', '--out', join(env.BACKUP as string, 'heads.jsonl')], env);
    expect(heads.code).toBe(0);
    await backUp();
    await post(`/v1/users/${userId}/erase`, own, {});
    await call('DELETE', `/api/console/keys/${leaked.id}`, token);
    mkdirSync(join(folder, 'lib', 'exports'));
    for (const [environment, key] of [
      ['live', own],
      ['test', test],
    ])
      writeFileSync(
        join(folder, 'lib', 'exports', `${environment}.jsonl`),
        await call('GET', '/v1/audit/export', key as string),
      );
    Object.assign(env, { KEY: own, LEAKED: leaked.key, PERSON: userId });
  }

  const follow = async (names: Record<string, string> = {}): Promise<string[]> => {
    const here = { '/var/lib/svc': join(folder, 'lib'), ...names };
    const blocks = samplesIn(guide(PAGE)).map(({ code }) =>
      Object.entries(here).reduce((text, [shown, actual]) => text.replaceAll(shown, actual), code),
    );
    const commands = [BEFORE, ...blocks, INTEGRITY, PERSON, WITH_LEAKED];
    return (await paste(commands, { cwd: root, env, timeoutMs: TIMEOUT_MS / 2 })).slice(1);
  };

  async function expectFinished(): Promise<void> {
    const unannounced = await startAgain();
    expect(unannounced.code).not.toBe(0);
    expect(unannounced.output).toContain('Set RESTORE_EPOCH=1 on every node and run `svc restore finish`.');
    const early = await startAgain({ RESTORE_EPOCH: '1' });
    expect(early.output).toContain('its restore is not finished. Run `svc restore finish`');
    const outputs = await follow();
    const [integrity, person, leaked] = outputs.splice(-3) as [string, string, string];
    const all = outputs.join('');
    expect(all).toMatch(/^Account \S+ \(live\): 3 events after the backup, up to 20\S+\. Revoked again: /m);
    expect(all).toMatch(
      /^Accounts: 1, and the identities of 0 are locked until their owner confirms them\.$/m,
    );
    expect(all).toMatch(/^People erased again: 1\.$/m);
    expect(all).toMatch(/^The restore 1 is finished\. Start the nodes with RESTORE_EPOCH=1\.$/m);
    expect(all).toMatch(/^Compared 2 chains\. Each has the row of its exported head\.$/m);
    expect(JSON.parse(integrity).status).toBe('pass');
    expect(JSON.parse(person).user.erasedAt).not.toBeNull();
    expect(JSON.parse(leaked).error).toBe('invalid_api_key');
    expect(readFileSync(env.ERASURES_FILE as string, 'utf8').split('\n')).toHaveLength(2);
  }

  it.skipIf(!hasDump)(
    'finishes a restore of PostgreSQL [erasure/file-of-erasures] [erasure/restore]',
    async () => {
      await start(await freshSettings(folder));
      const dump = join(folder, 'svc.dump');
      await live(async () => {
        execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, env.DATABASE_URL as string]);
      });
      await stop();
      const url = new URL(env.DATABASE_URL as string);
      const name = `${url.pathname.slice(1)}_restored`;
      const admin = url.href.replace(url.pathname, '/postgres');
      execFileSync('createdb', [`--maintenance-db=${admin}`, '--template=template0', name]);
      url.pathname = `/${name}`;
      execFileSync('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${url.href}`, dump]);
      env.DATABASE_URL = url.href;
      await expectFinished();
    },
  );

  it('finishes a restore of the embedded folder [erasure/file-of-erasures] [erasure/restore]', async () => {
    const DATA_DIR = join(folder, 'data');
    await createDataFolder(DATA_DIR);
    await start({ DATA_DIR });
    await live(async () => {
      // A copy needs a server that is stopped.
      await stop();
      cpSync(DATA_DIR, join(folder, 'copy'), { recursive: true });
      server = await startProcess(installed, env);
      await server.serving;
    });
    await stop();
    rmSync(DATA_DIR, { recursive: true });
    cpSync(join(folder, 'copy'), DATA_DIR, { recursive: true });
    await expectFinished();
  });
});
