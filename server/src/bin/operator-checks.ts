import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasContributors, loadPinnedKey, PinnedKeyError } from '@svc/zk/setup/artifacts';
import { type Config, ConfigError, loadConfig } from '../base/config/config.js';
import { systemRandom } from '../base/crypto/random.js';
import { openSmtp } from '../base/mail/smtp.js';
import { isOpenTo } from '../base/private-path.js';
import { openRedis } from '../cluster/redis.js';
import { openPostgres } from '../db/pg.js';
import { sql } from '../db/sql.js';
import { type Check, clockCheck, fail, ok, warn } from './checks.js';
import type { Inspection } from './inspect.js';
import { operate } from './operate.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface ServerChecks {
  readonly checks: readonly Check[];
  /** Where clients reach the server. Absent if the settings are not valid. */
  readonly baseUrl?: string;
}

const MIN_POSTGRES = 150_000;

export async function operatorChecks(env: Env): Promise<ServerChecks> {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.message.split('\n');
    return {
      checks: problems.map((problem) =>
        fail('settings', problem, 'docs/operating.md describes every setting.'),
      ),
    };
  }
  const checks = [
    ok('settings', config.production ? 'all are valid, for production' : 'all are valid'),
    await chainCheck(config),
    keyCheck(config),
    ...folderChecks(config),
    ...(await databaseChecks(env)),
    ...(await replicaCheck(config)),
    await redisCheck(config),
    await mailCheck(config),
  ];
  return { checks, baseUrl: config.baseUrl };
}

/** The same check as before the worker sends. The message never contains the RPC URL, which may include a key. */
async function chainCheck({ chain }: Config): Promise<Check> {
  if (chain === undefined) return ok('chain', 'not set: nothing is anchored');
  const { createChainClient } = await import('@svc/chain/client');
  try {
    const client = createChainClient(chain);
    await client.check();
    const { batches } = await client.totals('latest');
    return ok(
      'chain',
      `${chain.chainId}, with ${batches} batches; the contracts and the relayer are the right ones`,
    );
  } catch (error) {
    const next = 'docs/runbooks/chain.md describes what to do in each state.';
    return fail('chain', error instanceof Error ? error.message : String(error), next);
  }
}

function keyCheck({ minCeremonyContributors, production }: Config): Check {
  try {
    const { sha256, circuitVersion, setup } = loadPinnedKey();
    const key = `the verification key of circuit ${circuitVersion} is the pinned one (${sha256.slice(0, 16)}…)`;
    const isCeremony = setup.kind === 'ceremony';
    const made = isCeremony
      ? `${key}, from a ceremony with ${setup.contributors} contributors`
      : `${key}, from a development set-up: the party that made it could forge proofs`;
    const next = 'Run a ceremony of your own (docs/proofs.md) before anything depends on it.';
    if (!hasContributors(setup, minCeremonyContributors))
      return fail('key', `${made}; REQUIRE_CEREMONY_KEYS requires ${minCeremonyContributors}`, next);
    return isCeremony || !production ? ok('key', made) : warn('key', made, next);
  } catch (error) {
    if (!(error instanceof PinnedKeyError)) throw error;
    return fail('key', `check ${error.check}: ${error.message}`, 'Restore the committed artifacts.');
  }
}

/** Runs before the database is opened, because opening it corrects these file modes. */
function folderChecks({ databaseUrl, dataDir }: Config): Check[] {
  if (databaseUrl !== undefined || !existsSync(dataDir)) return [];
  const open = ['database', 'secret']
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && isOpenTo(path, 0o077));
  if (open.length > 0)
    return [warn('folder', `others may use ${open.join(' and ')}`, `chmod go= ${open.join(' ')}`)];
  return isOpenTo(dataDir, 0o022)
    ? [warn('folder', `others may write in ${dataDir}`, `chmod go-w ${dataDir}`)]
    : [ok('folder', 'only the owner can read the database and the secret')];
}

async function databaseChecks(env: Env): Promise<Check[]> {
  const reply = await operate(env, { command: 'inspect', input: {} });
  if (!reply.ok)
    return [
      env.DATABASE_URL
        ? fail(
            'database',
            reply.error,
            'Check DATABASE_URL, and that PostgreSQL is running and accepts this user.',
          )
        : warn(
            'database',
            reply.error,
            'Expected before the first start, which creates it. Otherwise check DATA_DIR.',
          ),
    ];
  const found = reply.result as Inspection;
  const name =
    found.kind === 'embedded' ? `embedded, PostgreSQL ${found.version}` : `PostgreSQL ${found.version}`;
  return [
    found.versionNumber >= MIN_POSTGRES
      ? ok('database', name)
      : fail('database', `${name} is too old`, 'Use PostgreSQL 15 or later.'),
    schemaCheck(found),
    found.ownSecret
      ? ok('secret', 'signs what is in the database')
      : fail(
          'secret',
          'SVC_SECRET is not the one that this database was signed with',
          'Set it, and SVC_SECRET_PREVIOUS during a rotation.',
        ),
    found.sealing === null
      ? ok('tenant secrets', 'can be decrypted')
      : fail('tenant secrets', found.sealing.problem, found.sealing.next),
    externalIdCheck(found),
    clockCheck('database clock', 'the database’s', found.clockAheadMs),
  ];
}

/** Records that were created before forms of Unicode were compared. Which of a pair is right, only their tenant knows. */
export function externalIdCheck({ equalIds }: Pick<Inspection, 'equalIds'>): Check {
  const pairs = Object.entries(equalIds).flatMap(([kind, found]) =>
    found.map(
      ({ tenant_id, environment, id, other_id }) =>
        `${kind} ${id} and ${other_id} (${tenant_id}, ${environment})`,
    ),
  );
  return pairs.length === 0
    ? ok('external ids', 'each belongs to one record')
    : warn(
        'external ids',
        `differ only in the form of accents: ${pairs.join('; ')}`,
        'Ask the tenant to change or remove one id of each pair (docs/users.md). The first 20 of users and of devices are listed.',
      );
}

export function schemaCheck({
  missing,
  changed,
  newer,
}: Pick<Inspection, 'missing' | 'changed' | 'newer'>): Check {
  if (changed.length > 0)
    return fail(
      'schema',
      `${changed.join(', ')} was changed after it was applied`,
      'Restore the file. A server does not start without it.',
    );
  if (missing.length > 0)
    return warn('schema', `lacks ${missing.join(', ')}`, 'Run `svc migrate`, or start the server.');
  return newer.length > 0
    ? warn(
        'schema',
        `has ${newer.join(', ')} of a newer version`,
        'Use that version, unless you downgraded on purpose.',
      )
    : ok('schema', 'up to date');
}

/** The server finds out whether it is a replica of the right database, and how far it is behind. */
async function replicaCheck({ databaseReadUrl }: Config): Promise<Check[]> {
  if (databaseReadUrl === undefined) return [];
  const replica = openPostgres({ url: databaseReadUrl, connections: 1 });
  try {
    const [found] = await replica.query<{ standby: boolean }>(
      sql.query`select pg_is_in_recovery() as standby`,
    );
    return [
      found?.standby
        ? ok('replica', 'responds, and is a standby server')
        : warn(
            'replica',
            'is not a standby server, so it is not used',
            'Set DATABASE_READ_URL to a standby server.',
          ),
    ];
  } catch (error) {
    const { cause } = error as Error;
    const why =
      (cause as Error | undefined)?.message || String((cause as NodeJS.ErrnoException)?.code ?? error);
    const next = 'Check DATABASE_READ_URL. Without the replica, the primary server serves all lists.';
    return [warn('replica', `cannot be used: ${why}`, next)];
  } finally {
    await replica.close();
  }
}

async function redisCheck({ redisUrl }: Config): Promise<Check> {
  if (redisUrl === undefined) return ok('redis', 'not set: right for one node');
  let reason: unknown;
  const log = {
    info() {},
    warn: ({ err }: { err?: unknown }) => {
      reason = err;
    },
  };
  const redis = await openRedis({ url: redisUrl, random: systemRandom, log: log as never });
  const { isUp } = redis;
  await redis.close();
  const why = (reason as Error | undefined)?.message || String((reason as NodeJS.ErrnoException)?.code ?? '');
  return isUp
    ? ok('redis', 'responds in time, and accepts writes')
    : fail(
        'redis',
        `cannot be used${why && `: ${why}`}`,
        'Check REDIS_URL. Without it each node counts rate limits alone.',
      );
}

async function mailCheck({ mail }: Config): Promise<Check> {
  if (mail === undefined) return ok('mail', 'not set: no e-mail is sent');
  const failure = await (await openSmtp(mail)).check();
  return failure === undefined
    ? ok('mail', 'the mail server accepts connections, and the log-in if there is one')
    : warn(
        'mail',
        `the mail server cannot be used (${Object.values(failure).join(', ')})`,
        'Check SMTP_URL, and that the mail server offers TLS with a valid certificate.',
      );
}
