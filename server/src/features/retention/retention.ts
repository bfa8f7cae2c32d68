import { NIL_UUID } from '../../base/crypto/random.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader, type Write } from '../../ledger/write.js';
import { ENVIRONMENTS } from '../../model/environment.js';
import type { DeletedRows, OldRows } from '../../records/old-rows.js';
import { countOldAttendance, deleteOldAttendance } from '../attendance/attendance.js';
import { countOldRegistrations, deleteOldRegistrations } from '../registrations/registrations.js';
import { countOldVerifications, deleteOldVerifications } from '../verifications/verifications.js';
import * as store from './retention.store.js';

const DAY_MS = 24 * 60 * 60_000;
/** Records of one kind in a batch. Other writes of the chain wait for it. */
const BATCH_SIZE = 1_000;
/** After a batch the job waits this many times as long as the batch took, so that a busy database has more rest. */
const REST = 4;
const ACCOUNTS_AT_ONCE = 500;
/** Rows of one kind that a preview counts. */
const MAX_COUNTED = 100_000;

/** What the chain calls the last record that a batch deleted. */
const LAST = {
  verifications: 'verification_last',
  attendance: 'attendance_last',
  registrations: 'registration_last',
} as const;

const KINDS = ['verifications', 'attendance', 'registrations'] as const;
type Kind = (typeof KINDS)[number];

const DELETE = {
  verifications: deleteOldVerifications,
  attendance: deleteOldAttendance,
  registrations: deleteOldRegistrations,
};
const COUNT = {
  verifications: countOldVerifications,
  attendance: countOldAttendance,
  registrations: countOldRegistrations,
};

const mapKinds = <T>(of: (kind: Kind) => T) =>
  Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, T>;

async function ofEach<T>(work: (kind: Kind) => Promise<T>): Promise<Record<Kind, T>> {
  const results = await Promise.all(KINDS.map(work));
  return mapKinds((kind) => results[KINDS.indexOf(kind)] as T);
}

const timeBefore = (now: number, days: number) => new Date(now - days * DAY_MS);

/** What a retention time of that many days would delete now, in both environments. */
export async function countExpired(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tenantId: string,
  days: number,
  maxCounted = MAX_COUNTED,
): Promise<Record<Kind, number> & { readonly isExact: boolean }> {
  const before = timeBefore(clock.now(), days);
  const found = await ofEach(async (kind) => {
    const counts = ENVIRONMENTS.map((environment) =>
      COUNT[kind](reader(db, { tenantId, environment }), before, maxCounted + 1),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  });
  return {
    ...mapKinds((kind) => Math.min(found[kind], maxCounted)),
    isExact: KINDS.every((kind) => found[kind] <= maxCounted),
  };
}

/** A chain in which old records may be left, and the last one of each kind that was deleted. */
interface Chain {
  readonly scope: Scope;
  readonly days: number;
  /** The batch before was full. */
  readonly hasOld: boolean;
  readonly after: Readonly<Record<Kind, string>>;
}

interface RetentionDeps extends Pick<Deps, 'db' | 'write'>, BatchLimits {}

/**
 * Deletes the old records of every account whose policy has `retention_days`, one batch of each chain in turn. A batch is one
 * audited write: its event and its deletions commit together, and it follows the policy of that moment. May end anywhere;
 * the next run continues with what is left. `rest` waits, so that other work has its turn.
 */
export async function applyRetention(
  deps: RetentionDeps,
  batchSize = BATCH_SIZE,
  rest: (ms: number) => Promise<void> = async () => {},
): Promise<void> {
  let last = NIL_UUID;
  let chains: Chain[] = [];
  await inBatches(deps, async () => {
    if (chains.length === 0) {
      const accounts = await store.listAccounts(deps.db, last, ACCOUNTS_AT_ONCE);
      last = accounts.at(-1)?.id ?? last;
      chains = accounts.flatMap(chainsOf);
      if (chains.length === 0) return false;
    }
    const unfinished: Chain[] = [];
    for (const chain of chains) {
      if (deps.signal?.aborted) return false;
      const startedAt = performance.now();
      const next = await deleteBatch(deps, chain, batchSize);
      if (next === undefined) continue;
      unfinished.push(next);
      await rest(REST * (performance.now() - startedAt));
    }
    chains = unfinished;
    return true;
  });
}

const chainsOf = ({ id: tenantId, days }: { id: string; days: number }): Chain[] =>
  ENVIRONMENTS.map((environment) => ({
    scope: { tenantId, environment },
    days,
    hasOld: false,
    after: { verifications: NIL_UUID, attendance: NIL_UUID, registrations: NIL_UUID },
  }));

class NothingToDelete extends Error {}

/** Undefined if nothing is left. */
async function deleteBatch(
  { db, write, clock }: RetentionDeps,
  chain: Chain,
  limit: number,
): Promise<Chain | undefined> {
  const { scope, days, after } = chain;
  const now = clock.now();
  if (!chain.hasOld) {
    // Most chains have nothing old, and a write would lock their heads to find that out.
    const isOld = await ofEach((kind) => COUNT[kind](reader(db, scope), timeBefore(now, days), 1));
    if (KINDS.every((kind) => isOld[kind] === 0)) return undefined;
  }
  const actor = { type: 'system', id: null } as const;
  try {
    return await write({ scope, actor, action: 'tenant.retention_applied' }, async (w) => {
      const { before, deleted } = await deleteOld(w, now, limit, after);
      const counts = mapKinds((kind) => deleted[kind].count);
      // So that a check knows which records may be missing.
      const lasts = Object.fromEntries(KINDS.map((kind) => [LAST[kind], deleted[kind].last]));
      const metadata = { ...counts, before: before.toISOString(), ...lasts };
      w.audit({ entityType: 'tenant', entityId: scope.tenantId, metadata });
      if (KINDS.every((kind) => counts[kind] < limit)) return undefined;
      return { ...chain, hasOld: true, after: mapKinds((kind) => deleted[kind].last ?? after[kind]) };
    });
  } catch (error) {
    if (error instanceof NothingToDelete) return undefined;
    throw error;
  }
}

async function deleteOld(
  w: Write,
  now: number,
  limit: number,
  after: Chain['after'],
): Promise<{ before: Date; deleted: Record<Kind, DeletedRows> }> {
  const days = await store.readDays(w);
  if (days === undefined) throw new NothingToDelete();
  const before = timeBefore(now, days);
  const deleted = await ofEach((kind) =>
    DELETE[kind](w, { before, limit, after: after[kind] } satisfies OldRows),
  );
  if (KINDS.every((kind) => deleted[kind].count === 0)) throw new NothingToDelete();
  return { before, deleted };
}

export { eraseHours, hoursKeptUntil } from './hours.js';
