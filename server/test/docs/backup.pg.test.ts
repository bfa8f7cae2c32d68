// @module-tag if-touched @core server/src/features/restore/ docs/ cli/: restores whole databases, by the commands of the runbook
// @module-tag not-on-citus: dumps and restores a plain PostgreSQL
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOn } from '../../../scripts/testing/citus.mjs';
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
const PAGE = 'docs/runbooks/backup.md';

/** pg_dump rejects a server that is newer than itself. */
async function whyNotDumped(): Promise<string | undefined> {
  const { stdout, error } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (error) return 'pg_dump is missing';
  const own = Number(/ (\d+)/.exec(stdout)?.[1]);
  const [[row]] = (await runOn(
    process.env.TEST_DATABASE_URL as string,
    `select current_setting('server_version_num')::int / 10000 as major`,
  )) as [[{ major: number }]];
  return own < row.major ? `pg_dump ${own} cannot dump PostgreSQL ${row.major}` : undefined;
}
const reason = await whyNotDumped();
// `npm test -- --all` installs it, or prints this line itself.
if (reason !== undefined)
  console.error(`!! NOT TESTED: the restore of a PostgreSQL dump, because ${reason}.`);

/** The blocks that a reader pastes, below a heading. */
const blocksOf = (heading: string): string[] => {
  const section = guide(PAGE)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  return samplesIn(section as string).flatMap(({ info, code }) => (info === 'sh' ? [code] : []));
};

/** The built command line and server instead of those that npm would build first. `npm start` returns when the server serves. */
const BEFORE = `npm() {
  if [ "$1" = run ]; then shift 3; node "$CLONE/cli/dist/main.js" "$@"; return; fi
  exec 3< <(exec node "$CLONE/server/dist/bin/serve.js")
  trap "kill -KILL $!" EXIT
  while read -r line <&3; do if [[ $line == "Serving on"* ]]; then return; fi; done
  return 1
}
`;
const LIST_USERS = 'curl -sf "$BASE_URL/v1/users" -H "Authorization: Bearer $KEY"\n';
const COMPARE_WITH_LATER = 'npm run svc -- audit heads --compare "$LATER" || echo "exit $?"\n';
const HAS_STATISTICS = `psql "$DATABASE_URL" -Atc "select count(*) > 0 from pg_stats where tablename = 'audit_events'"\n`;

/** A dozen processes start, which a busy machine delays. */
const TIMEOUT_MS = 300_000;

describe('docs/runbooks/backup.md, followed word by word', { timeout: TIMEOUT_MS }, () => {
  let installed: Installation;
  let folder: string;
  let old: Running;
  let env: Record<string, string>;
  beforeAll(() => {
    requirePrograms('bash', 'curl', 'tar');
    installed = install();
  });
  afterAll(() => installed.remove());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  });
  afterEach(() => {
    endProcesses();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async (path: string, body: object, key = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const reply = await fetch(`${env.BASE_URL}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(201);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
    return (await reply.json()) as any;
  };
  const addUser = (fullName: string) => call('/v1/users', { fullName }, env.KEY);

  async function startOld(settings: Record<string, string>): Promise<void> {
    const port = await freePort();
    env = {
      ...settings,
      HOME: folder,
      CLONE: root,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ADMIN_API_KEY: ADMIN_KEY,
      LOG_LEVEL: 'warn',
      LATER: join(folder, 'later.jsonl'),
    };
    old = await startProcess(installed, env);
    await old.serving;
    const account = { email: 'ada@example.com', password: 'correct horse 7 battery', companyName: 'Example' };
    const { apiKey } = await call('/api/console/signup', account);
    env.KEY = apiKey.key;
    await addUser('Ada');
  }
  async function stopOld(): Promise<void> {
    old.kill('SIGTERM');
    expect((await old.ended).code).toBe(0);
  }
  /** Pastes the blocks of a section on this machine. Returns the output of each, without that of `BEFORE`. */
  const follow = async (blocks: readonly string[], names: Record<string, string> = {}): Promise<string[]> => {
    const here = { '/var/backups/svc': join(folder, 'backups'), ...names };
    const commands = blocks.map((block) =>
      Object.entries(here).reduce((code, [shown, actual]) => code.replaceAll(shown, actual), block),
    );
    return (await paste([BEFORE, ...commands], { cwd: root, env, timeoutMs: TIMEOUT_MS / 2 })).slice(1);
  };
  /** The files of the backups, with their modes. */
  const modes = () =>
    readdirSync(join(folder, 'backups'), { recursive: true })
      .map(
        (name) => [String(name).split('/').at(-1), statSync(join(folder, 'backups', String(name)))] as const,
      )
      .filter(([, stat]) => stat.isFile())
      .map(([name, { mode }]) => `${name} ${(mode & 0o777).toString(8)}`)
      .sort();
  /** The checks of the runbook passed, and the restored service has the one user of the backup. */
  const expectRestored = (outputs: readonly string[], users: string | undefined) => {
    const all = outputs.join('');
    expect(all).toMatch(/^ok {4}secret /m);
    expect(all).not.toMatch(/^fail/m);
    expect(all).toMatch(/^Compared 2 chains\. Each has the row of its exported head\.$/m);
    expect(all).toMatch(/^pass$/m);
    const names = JSON.parse(users as string).users.map(({ fullName }: { fullName: string }) => fullName);
    expect(names).toEqual(['Ada']);
  };

  it.skipIf(reason)(
    'restores a dump of PostgreSQL, proves that it is complete, and names the rows that were written later',
    async () => {
      await startOld(await freshSettings(folder));
      await follow(blocksOf('Back up PostgreSQL'));
      expect(modes()).toEqual(['heads.jsonl 600', 'svc.dump 600']);
      for (const name of ['Bob', 'Cyd', 'Dan']) await addUser(name);
      const { LATER = '' } = env;
      expect(await runSvc(['audit', 'heads', '--out', LATER], env)).toMatchObject({ code: 0 });
      await stopOld();
      const url = new URL(env.DATABASE_URL as string);
      const [open, ...outputs] = await follow(
        [...blocksOf('Restore PostgreSQL'), LIST_USERS, COMPARE_WITH_LATER, HAS_STATISTICS],
        {
          'postgres://svc@127.0.0.1:5432': url.href.replace(url.pathname, ''),
          svc_restored: `${url.pathname.slice(1)}_restored`,
        },
      );
      const [users, later, hasStatistics] = outputs.splice(-3);
      expectRestored(outputs, users);
      expect(open).toBe('0\n');
      expect(hasStatistics).toBe('t\n');
      expect(later).toMatch(
        /^Tenant \S+ \(live\): rows 4 to 6 are missing\.\nCompared 2 chains\. 1 differ\.\nexit 1\n$/,
      );
    },
  );

  it('restores the embedded folder, and proves that it is complete', async () => {
    const DATA_DIR = join(folder, 'data');
    mkdirSync(DATA_DIR);
    await createDataFolder(DATA_DIR);
    await startOld({ DATA_DIR });
    const [heads, copy] = blocksOf('Back up the embedded folder') as [string, string];
    await follow([heads]);
    await stopOld();
    // The reader's shell still has the variable.
    await follow(['BACKUP=$(ls -d /var/backups/svc/*)\n', copy]);
    expect(modes()).toEqual(['data.tgz 600', 'heads.jsonl 600']);
    const outputs = await follow([...blocksOf('Restore the embedded folder'), LIST_USERS]);
    expectRestored(outputs, outputs.pop());
  });

  it('has no block that is not run here', () => {
    const sections = guide(PAGE).match(/(?<=^## ).*/gm) as string[];
    const run = sections.filter((heading) => heading.includes(' up ') || heading.startsWith('Restore'));
    expect(run).toHaveLength(4);
    expect(run.flatMap(blocksOf)).toHaveLength(samplesIn(guide(PAGE)).length);
  });
});
