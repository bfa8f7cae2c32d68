import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../base/config.js';
import { createKeyring, type Keyring } from '../base/keyring.js';
import { createPasswords } from '../base/passwords.js';
import { createIds, systemRandom } from '../base/random.js';
import { readOrMakeSecret } from '../base/secret.js';
import { publishTo } from '../cluster/bus.js';
import { openRedis, type Redis } from '../cluster/redis.js';
import { databaseClock } from '../db/database-clock.js';
import type { RawDatabase } from '../db/db.js';
import { openEmbedded } from '../db/embedded.js';
import { FolderInUseError } from '../db/folder-lock.js';
import { readMigrations } from '../db/migrate.js';
import { openPostgres } from '../db/pg.js';
import { createWriter } from '../ledger/writer.js';
import {
  explain,
  MIGRATIONS,
  OperatorError,
  type OperatorReply,
  type OperatorRequest,
  runCommand,
} from './commands.js';
import { appliedMigrations, missingMigrations, signsHere } from './inspect.js';
import { askServer, socketPath } from './socket.js';

export { ConfigError } from '../base/config.js';
export type { OperatorRequest } from './commands.js';

/**
 * Runs a command with the settings of the server: on PostgreSQL directly; on the embedded database through the running
 * server, or by opening the folder when none runs.
 */
export async function operate(
  env: Readonly<Record<string, string | undefined>>,
  request: OperatorRequest,
): Promise<OperatorReply> {
  try {
    const config = loadConfig(env);
    const path = config.databaseUrl === undefined ? socketPath(config.dataDir) : undefined;
    const reply = path === undefined ? undefined : await askServer(path, request);
    return reply ?? (await operateDirectly(config, request));
  } catch (error) {
    if (error instanceof ConfigError) return { ok: false, error: error.message, usage: true };
    const sentence = explain(error) ?? explainOpening(error);
    if (sentence === undefined) throw error;
    return { ok: false, error: sentence };
  }
}

/** The blockchain's settings, read as the server reads them. @throws ConfigError */
export const readChainSettings = (env: Readonly<Record<string, string | undefined>>) => loadConfig(env).chain;

/** What goes wrong before a command runs: the folder is taken, the server refuses the login, the disk refuses us. */
function explainOpening(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof FolderInUseError) return message;
  if (typeof code === 'string') return `The database cannot be opened: ${message}`;
  return undefined;
}

/** What is there to be used before the schema is whole. */
const ON_ANY_SCHEMA = ['migrate', 'inspect'];

async function operateDirectly(config: Config, request: OperatorRequest): Promise<OperatorReply> {
  requireFolder(config, request);
  // Before the database: one that stands without its secret has lost it.
  const keyring = createKeyring(config.secret ?? readOrMakeSecret(config.dataDir), config.previousSecret);
  const db = await open(config);
  let redis: Redis | undefined;
  try {
    if (!ON_ANY_SCHEMA.includes(request.command)) {
      await requireMigrated(db);
      await requireOwnSecret(db, keyring);
    }
    const clock = databaseClock(db);
    await clock.sync();
    // Without it the servers find in the database what this process did, within a second.
    if (config.redisUrl !== undefined)
      redis = await openRedis({ url: config.redisUrl, random: systemRandom, log: SILENT });
    const deps = {
      db,
      write: createWriter({ db, clock, keyring, ids: createIds(clock, systemRandom) }),
      keyring,
      random: systemRandom,
      passwords: await createPasswords(),
      bus: {
        publish: (topic: string, id: string) => redis && publishTo(redis, topic, id),
      },
    };
    return await runCommand(deps, request);
  } finally {
    await redis?.close();
    await db.close();
  }
}

const SILENT = { info() {}, warn() {} };

/** A command that only changes rows makes no database: where there is none, the folder is the wrong one. */
function requireFolder({ databaseUrl, dataDir }: Config, { command }: OperatorRequest): void {
  if (databaseUrl !== undefined || command === 'migrate') return;
  if (existsSync(join(resolve(dataDir), 'database'))) return;
  throw new OperatorError(
    `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the server has it, or start the server once.`,
  );
}

const open = async ({ databaseUrl, dataDir }: Config): Promise<RawDatabase> =>
  databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres({ url: databaseUrl, connections: 2 });

async function requireMigrated(db: RawDatabase): Promise<void> {
  const missing = missingMigrations(await appliedMigrations(db), await readMigrations(MIGRATIONS));
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(', ')}. Run \`npm run svc -- migrate\` first.`,
    );
}

/** Signing a chain's head with another secret than the server's would make every later check of that chain fail. */
async function requireOwnSecret(db: RawDatabase, keyring: Keyring): Promise<void> {
  if (await signsHere(db, keyring)) return;
  throw new OperatorError(
    'SVC_SECRET is not the secret that the server of this database signs with. Set it, and SVC_SECRET_PREVIOUS during a rotation, as the server has it.',
  );
}
