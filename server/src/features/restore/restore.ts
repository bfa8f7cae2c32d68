import { relative, resolve } from 'node:path';
import { type Config, ConfigError } from '../../base/config/config.js';
import type { Database } from '../../db/db.js';
import { APPLICATION } from '../../db/pg.js';
import type { ErasureLine } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import { SKEW_MS } from '../proofs/proofs.js';
import { type ErasuresFile, openErasures } from './erasures-file.js';
import * as store from './restore.store.js';

export { type ErasuresFile, openErasures } from './erasures-file.js';

const LINES_AT_ONCE = 1_000;
const NEVER = new Date(0);

type RestoreConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'erasuresFile' | 'restoreEpoch'>;

/** The newest restore of the database. Epoch 0 if it was never restored. */
export async function readRestore(db: Database): Promise<{ epoch: number; finishedAt: Date }> {
  const [row] = await store.listRestores(db, 1);
  return { epoch: row?.epoch ?? 0, finishedAt: row?.finished_at ?? NEVER };
}

/** Whether RESTORE_EPOCH says that the database was restored, and that is not finished. */
export const needsRestore = async ({
  db,
  config,
}: {
  db: Database;
  config: RestoreConfig;
}): Promise<boolean> => config.restoreEpoch > (await readRestore(db)).epoch;

/** Whether nodes have the database open. Nobody else can have an embedded one open. */
export const hasNodes = async (db: Database): Promise<boolean> =>
  db.kind === 'postgres' && (await store.countNodes(db, APPLICATION)) > 0;

/** Records that a restore is finished. From then on, nodes with this RESTORE_EPOCH serve the database. */
export const recordRestore = (db: Database, epoch: number, at: Date): Promise<void> =>
  store.insertRestore(unaudited(db, 'restores'), epoch, at);

/** The lines of the file whose person the database has, and has not erased, in batches. */
export async function* findUnerased(
  db: Database,
  lines: AsyncIterable<ErasureLine>,
  batchSize = LINES_AT_ONCE,
): AsyncGenerator<ErasureLine[]> {
  let batch: ErasureLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < batchSize) continue;
    yield await store.findUnerased(db, batch);
    batch = [];
  }
  if (batch.length > 0) yield await store.findUnerased(db, batch);
}

/** A restore of the embedded folder would replace the file as well. */
function requireOutside({ databaseUrl, dataDir, erasuresFile }: RestoreConfig): void {
  if (databaseUrl !== undefined || erasuresFile === undefined) return;
  const path = relative(resolve(dataDir), resolve(erasuresFile));
  if (!path.startsWith('..') && path !== resolve(erasuresFile))
    throw new ConfigError(
      'ERASURES_FILE must not be in DATA_DIR, because a restore of the folder would also set the file back.',
    );
}

/** Opens the file of ERASURES_FILE. Undefined without the setting. @throws ConfigError */
export async function openErasuresOf(config: RestoreConfig): Promise<ErasuresFile | undefined> {
  requireOutside(config);
  return config.erasuresFile === undefined ? undefined : openErasures(config.erasuresFile);
}

/**
 * Compares RESTORE_EPOCH with the database. One without accounts takes the setting, because there is nothing in it that a restore
 * could have set back.
 */
async function requireEpoch(db: Database, setting: number): Promise<Date> {
  const { epoch, finishedAt } = await readRestore(db);
  if (setting === epoch) return finishedAt;
  if (setting < epoch)
    throw new ConfigError(
      `RESTORE_EPOCH is ${setting}, but this database was restored and its epoch is ${epoch}. Set RESTORE_EPOCH=${epoch} on every node.`,
    );
  if (await store.hasAccounts(db))
    throw new ConfigError(
      `RESTORE_EPOCH is ${setting}, but the epoch of this database is ${epoch}: its restore is not finished. Run \`svc restore finish\` with the settings of this node. If the database was not restored, set RESTORE_EPOCH=${epoch}.`,
    );
  await recordRestore(db, setting, NEVER);
  return NEVER;
}

/**
 * Erasures that the database lacks. Before the newest restore was finished: those of another node, which nobody has applied. Later:
 * the database was restored again.
 */
async function requireErased(db: Database, file: ErasuresFile, config: RestoreConfig): Promise<void> {
  const { finishedAt } = await readRestore(db);
  for await (const [line] of findUnerased(db, file.lines())) {
    if (line === undefined) continue;
    throw new ConfigError(
      isFromBefore(line, finishedAt)
        ? `The file of ERASURES_FILE has erasures that this database lacks. Run \`svc restore finish\` with the settings of this node.`
        : `The file of ERASURES_FILE has erasures that this database lacks: it was restored from a backup. Set RESTORE_EPOCH=${config.restoreEpoch + 1} on every node and run \`svc restore finish\`.`,
    );
  }
}

/** The erasure happened before the restore was finished, so another one is not needed to make up for it. */
export const isFromBefore = ({ erasedAt }: ErasureLine, finishedAt: Date): boolean =>
  Date.parse(erasedAt) < finishedAt.getTime();

/** What a node has to know of restores. */
export interface Restored {
  /** Proofs with an earlier timestamp are stale [erasure/proofs-after-a-restore]. */
  readonly proofsFrom: number;
  /** Absent without ERASURES_FILE. */
  readonly erasures?: ErasuresFile;
}

/**
 * Whether a node may serve this database.
 * @throws ConfigError, with what to do, if a restore is not finished, or if the database lacks an erasure
 */
export async function checkRestored(deps: {
  readonly db: Database;
  readonly config: RestoreConfig;
}): Promise<Restored> {
  const { db, config } = deps;
  const finishedAt = await requireEpoch(db, config.restoreEpoch);
  const proofsFrom = finishedAt.getTime() === 0 ? 0 : finishedAt.getTime() + SKEW_MS;
  const erasures = await openErasuresOf(config);
  if (erasures === undefined) return { proofsFrom };
  try {
    await requireErased(db, erasures, config);
  } catch (error) {
    await erasures.close();
    throw error;
  }
  return { proofsFrom, erasures };
}
