import { mapConcurrently } from '../../base/concurrency/concurrently.js';
import { createSealer, SealError, type Sealer } from '../../base/crypto/sealer.js';
import type { Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import {
  createDeploymentKeys,
  createKey,
  deleteUnusedKeys,
  prepareKeys,
  SEALED_COLUMNS,
  type SealingDeps,
} from './sealing.js';
import * as store from './sealing.store.js';

const BATCH_SIZE = 500;
/** The connections of the command line to the database. */
const CONCURRENCY = 2;
/** How many of the values that cannot be opened are listed. */
const MAX_LISTED = 20;

type ResealDeps = SealingDeps & Pick<Deps, 'ids'>;

interface Resealed {
  /** Keys that were sealed under the current server secret. */
  readonly keys: number;
  /** Values that were sealed with the newest key. */
  readonly values: number;
  /** Values that a node changed at the same time. The next run seals them, if they still need it. */
  readonly changed: number;
  /** Values that cannot be opened. They stay as they are, and their keys are kept. */
  readonly unopened: number;
  readonly named: readonly string[];
  readonly createdKeys: number;
  readonly deletedKeys: number;
}

/**
 * Seals the keys under the current server secret and every value with the newest key, and deletes old keys that no value
 * needs. With `newKey`, the newest key is a new one. No secret of a tenant changes, so there is no audit event.
 * @throws SealError if a key cannot be opened
 */
export async function reseal(
  deps: ResealDeps,
  { newKey = false, batchSize = BATCH_SIZE }: { newKey?: boolean; batchSize?: number } = {},
): Promise<Resealed> {
  const keys = await prepareKeys(deps);
  if (newKey) await createKey(deps);
  let values = 0;
  let changed = 0;
  const unopened: string[] = [];
  for (const column of SEALED_COLUMNS)
    for await (const batch of resealColumn(deps, column, batchSize)) {
      values += batch.done;
      changed += batch.changed;
      unopened.push(...batch.unopened);
    }
  return {
    keys,
    values,
    changed,
    unopened: unopened.length,
    named: unopened.slice(0, MAX_LISTED),
    createdKeys: newKey ? 1 : 0,
    deletedKeys: await deleteUnusedKeys(deps),
  };
}

type Outcome = 'done' | 'changed' | 'unopened';

/** Seals the values of a column with the newest key, in batches in the order of the rows. */
async function* resealColumn(deps: ResealDeps, column: store.SealedColumn, batchSize: number) {
  const keys = createDeploymentKeys(deps);
  const sealer = createSealer(keys, deps.random);
  let after: store.RowKey | undefined;
  for (;;) {
    const { id: newest } = await keys.newest();
    const rows = await store.listValuesOfOthers(deps.db, column, newest, after, batchSize);
    const outcomes = await mapConcurrently(rows, CONCURRENCY, (row) =>
      resealValue(deps, sealer, column, row),
    );
    const having = (outcome: Outcome) => rows.filter((_, at) => outcomes[at] === outcome);
    yield {
      done: having('done').length,
      changed: having('changed').length,
      unopened: having('unopened').map((row) => nameOf(column, row)),
    };
    after = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

const nameOf = ({ table, column }: store.SealedColumn, { id }: store.RowKey) =>
  `${table.text}.${column.text} of ${id}`;

async function resealValue(
  { db }: ResealDeps,
  sealer: Sealer,
  column: store.SealedColumn,
  row: store.ValueRow,
): Promise<Outcome> {
  const place = { table: column.table.text, column: column.column.text };
  const context = { tenantId: row.tenant_id, environment: row.environment, ...place, id: row.id };
  const value = await sealer.open(column.purpose, context, row.sealed).catch((error: unknown) => {
    if (error instanceof SealError) return undefined;
    throw error;
  });
  if (value === undefined) return 'unopened';
  const replacement = await sealer.seal(column.purpose, context, value);
  const change = store.replaceValue(column, row, replacement);
  const replaced = await unaudited(db, 'sealed values').mutate(change);
  return replaced.length > 0 ? 'done' : 'changed';
}
