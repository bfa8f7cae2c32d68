import { NIL_UUID } from '../../base/crypto/random.js';
import { DELETED_TABLES, deleteAccountRows, hasNoRows } from '../../db/account-rows.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import { forgetLeaves, hasLeaves } from '../anchors/anchors.js';
import * as store from './accounts.store.js';

const ACCOUNTS_AT_ONCE = 100;
const LEAVES_AT_ONCE = 1_000;

interface DeletionDeps extends Pick<Deps, 'db' | 'write' | 'bus' | 'log'>, BatchLimits {}

/** Deletes a batch. Returns whether it found something. */
type Step = () => Promise<boolean>;

/** An account of which everything is being deleted, table by table. */
interface Deletion {
  readonly id: string;
  readonly steps: Step[];
  /** No step has found anything. */
  isEmpty: boolean;
}

/**
 * Deletes everything of the accounts whose time to be reopened is over, one batch of each account in turn, until nothing is left. Without
 * audit events and without a chain's head, in short transactions that skip locked rows, so nothing waits for it. May end anywhere; the
 * next run continues. `tenant.deleted` follows in the first run that finds nothing at all: calls that were being counted
 * when the first run began are in the database by then.
 */
export async function deleteClosedAccounts(deps: DeletionDeps): Promise<void> {
  const w = unaudited(deps.db, 'closed accounts');
  const now = new Date(deps.clock.now());
  let last = NIL_UUID;
  let deletions: Deletion[] = [];
  await inBatches(deps, async () => {
    if (deletions.length === 0) {
      const ids = await store.listEnding(deps.db, now, last, ACCOUNTS_AT_ONCE);
      if (ids.length === 0) return false;
      last = ids.at(-1) as string;
      for (const id of ids) {
        await store.close(w, id, now);
        deps.bus.publish('tenant', id);
      }
      deletions = ids.map((id) => ({ id, isEmpty: true, steps: stepsOf(w, id) }));
    }
    const unfinished: Deletion[] = [];
    for (const deletion of deletions) {
      if (deps.signal?.aborted) return false;
      if (await advance(deps, deletion)) unfinished.push(deletion);
    }
    deletions = unfinished;
    return true;
  });
}

/** The leaves first: the check of the anchors compares them with identities. */
const stepsOf = (w: ReturnType<typeof unaudited<'closed accounts'>>, id: string): Step[] => [
  () => forgetLeaves(w, id, LEAVES_AT_ONCE),
  ...DELETED_TABLES.map((table) => () => deleteAccountRows(w, table, id)),
];

/** Returns whether there is more to do in this run. An account that fails does not keep the others waiting. */
async function advance(deps: DeletionDeps, deletion: Deletion): Promise<boolean> {
  const { id, steps } = deletion;
  try {
    for (const step of steps.slice()) {
      if (await step()) {
        deletion.isEmpty = false;
        return true;
      }
      steps.shift();
    }
    if (deletion.isEmpty && (await isGone(deps, id))) await finish(deps, id);
  } catch (err) {
    deps.log.warn({ err, tenantId: id }, 'the records of a closed account are deleted in a later run');
  }
  return false;
}

/** Also without the rows that were locked. */
const isGone = async ({ db }: Pick<Deps, 'db'>, id: string): Promise<boolean> =>
  (await hasNoRows(db, id)) && !(await hasLeaves(db, id));

class AlreadyNoted extends Error {}

async function finish({ write }: Pick<Deps, 'write'>, id: string): Promise<void> {
  const scope = { tenantId: id, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  try {
    await write({ scope, actor, action: 'tenant.deleted', locks: 'tenant' }, async (w) => {
      w.audit({ entityType: 'tenant', entityId: id });
      if (!(await store.noteDeleted(w))) throw new AlreadyNoted();
    });
  } catch (error) {
    if (!(error instanceof AlreadyNoted)) throw error;
  }
}
