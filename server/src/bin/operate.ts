import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemTimers } from '../base/clock.js';
import { type Config, ConfigError, loadConfig } from '../base/config/config.js';
import { createKeyring, type Keyring } from '../base/crypto/keyring.js';
import { createPasswords } from '../base/crypto/passwords.js';
import { createIds, systemRandom } from '../base/crypto/random.js';
import { readOrCreateSecret } from '../base/crypto/secret.js';
import { createLog } from '../base/telemetry/log.js';
import { publishTo } from '../cluster/bus.js';
import { openRedis, type Redis } from '../cluster/redis.js';
import { withPlacement } from '../db/citus/placement.js';
import { databaseClock } from '../db/database-clock.js';
import type { RawDatabase } from '../db/db.js';
import { openEmbedded } from '../db/embedded.js';
import { FolderInUseError } from '../db/folder-lock.js';
import { MIGRATIONS, readMigrations } from '../db/migrate.js';
import { openPostgres } from '../db/pg.js';
import { createWriter } from '../ledger/writer.js';
import {
  explain,
  type OperatorDeps,
  OperatorError,
  type OperatorReply,
  type OperatorRequest,
  runCommand,
} from './commands.js';
import { appliedMigrations, missingMigrations, signsHere } from './inspect.js';
import { requestServer, socketPath } from './socket.js';

export { ConfigError } from '../base/config/config.js';
export type { OperatorReply, OperatorRequest } from './commands.js';

type Env = Readonly<Record<string, string | undefined>>;
type Operate = (request: OperatorRequest) => Promise<OperatorReply>;

/**
 * Runs a command with the settings of the server: on PostgreSQL directly, on the embedded database through the running
 * server, or by opening the folder if no server runs.
 */
export const operate = (env: Env, request: OperatorRequest): Promise<OperatorReply> =>
  withOperator(env, (run) => run(request));

/** As `operate`, for commands that follow each other. If this process opens the database, it opens it once. */
export async function withOperator<T>(
  env: Env,
  use: (run: Operate) => Promise<T>,
  { progress }: { readonly progress?: ((text: string) => void) | undefined } = {},
): Promise<T> {
  let opened: Opened | undefined;
  const run: Operate = async (request) => {
    try {
      if (opened === undefined) {
        const config = loadConfig(env);
        const isServed = config.databaseUrl === undefined && !WITHOUT_SERVER.includes(request.command);
        const path = isServed ? socketPath(config.dataDir) : undefined;
        const reply = path === undefined ? undefined : await requestServer(path, request);
        if (reply !== undefined) return reply;
        opened = await openDirectly(config, request);
      }
      return await runCommand({ ...opened.deps, progress }, request);
    } catch (error) {
      if (error instanceof ConfigError) return { ok: false, error: error.message, usage: true };
      const sentence = explain(error) ?? explainOpening(error);
      if (sentence === undefined) throw error;
      return { ok: false, error: sentence };
    }
  };
  try {
    return await use(run);
  } finally {
    await opened?.close();
  }
}

/** Reads the blockchain's settings as the server does. @throws ConfigError */
export const readChainSettings = (env: Readonly<Record<string, string | undefined>>) => loadConfig(env).chain;

/** Errors before a command runs: the folder is locked, the database server rejects the login, the disk is not accessible. */
function explainOpening(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof FolderInUseError) return message;
  if (typeof code === 'string') return `The database cannot be opened: ${message}`;
  return undefined;
}

/** Commands that need only part of the schema. */
const ON_ANY_SCHEMA = ['migrate', 'inspect'];

/** Commands that no server runs, because it must not serve the database before them. */
const WITHOUT_SERVER = ['restore finish'];

interface Opened {
  readonly deps: OperatorDeps;
  close(): Promise<void>;
}

async function openDirectly(config: Config, request: OperatorRequest): Promise<Opened> {
  requireFolder(config, request);
  // Before opening the database, because an existing database without its secret has lost it.
  const keyring = createKeyring(config.secret ?? readOrCreateSecret(config.dataDir), config.previousSecret);
  const opened = await open(config);
  let redis: Redis | undefined;
  const close = async () => {
    await redis?.close();
    await opened.close();
  };
  try {
    const db = await withPlacement(opened);
    if (!ON_ANY_SCHEMA.includes(request.command)) {
      await requireMigrated(db);
      await requireOwnSecret(db, keyring);
    }
    const clock = databaseClock(db);
    await clock.sync();
    // Without Redis, servers find this process's changes in the database within a second.
    if (config.redisUrl !== undefined)
      redis = await openRedis({ url: config.redisUrl, random: systemRandom, log: SILENT });
    const ids = createIds(clock, systemRandom);
    const deps = {
      config,
      db,
      clock,
      ids,
      // Standard output is the command's.
      log: createLog('warn', process.stderr),
      write: createWriter({
        db,
        clock,
        timers: systemTimers,
        random: systemRandom,
        keyring,
        ids,
      }),
      keyring,
      random: systemRandom,
      passwords: await createPasswords(),
      bus: {
        publish: (topic: string, id: string) => redis && publishTo(redis, topic, id),
      },
    };
    return { deps, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const SILENT = { info() {}, warn() {} };

/** A command that only changes rows never creates a database. If there is none, the folder is the wrong one. */
function requireFolder({ databaseUrl, dataDir }: Config, { command }: OperatorRequest): void {
  if (databaseUrl !== undefined || command === 'migrate') return;
  if (existsSync(join(resolve(dataDir), 'database'))) return;
  throw new OperatorError(
    `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to the value that the server uses, or start the server once.`,
  );
}

const open = async ({ databaseUrl, dataDir }: Config): Promise<RawDatabase> =>
  databaseUrl === undefined
    ? openEmbedded(dataDir)
    : openPostgres({ url: databaseUrl, connections: 2, application: 'svc command' });

async function requireMigrated(db: RawDatabase): Promise<void> {
  const missing = missingMigrations(await appliedMigrations(db), await readMigrations(MIGRATIONS));
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(', ')}. Run \`npm run svc -- migrate\` first.`,
    );
}

/** Signing the head of an audit chain with another secret than the server's would make every later check of that chain fail. */
async function requireOwnSecret(db: RawDatabase, keyring: Keyring): Promise<void> {
  if (await signsHere(db, keyring)) return;
  throw new OperatorError(
    'SVC_SECRET is not the secret that the server of this database signs with. Set it, and SVC_SECRET_PREVIOUS during a rotation, to the values that the server uses.',
  );
}
