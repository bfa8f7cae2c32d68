import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { unaudited } from '../../ledger/unaudited.js';
import { attendanceList } from '../attendance/attendance.js';
import { auditList } from '../audit/audit.js';
import { deviceList } from '../devices/devices.js';
import { userList } from '../users/users.js';
import { verificationList } from '../verifications/verifications.js';
import { countAll, listChanged, sumChanges } from './overview.store.js';

const ROWS = 10;
const COUNTS_BATCH_SIZE = 10_000;
const MAX_TENANTS = 1_000;

export async function readOverview({
  read,
  scope,
  deps,
}: Pick<ScopedContext, 'read' | 'scope'> & { deps: Deps }) {
  const context = { read, scope, deps, query: { limit: ROWS } };
  const [counts, { devices }, { users }, { verifications }, { attendance }, { audit }] = await Promise.all([
    countAll(deps.history.of(scope)),
    deviceList(context),
    userList(context),
    verificationList(context),
    attendanceList(context),
    auditList(context),
  ]);
  return {
    environment: scope.environment,
    counts,
    recent: { devices, users, verifications, attendance, audit },
  };
}

/** Adds the changes of the counts to the counts, for at most half a minute. */
export async function sumCounts({ db, ...limits }: Pick<Deps, 'db'> & BatchLimits): Promise<void> {
  const w = unaudited(db, 'record counts');
  await inBatches(limits, async () => {
    const tenants = await listChanged(w, MAX_TENANTS);
    let isFull = false;
    for (const tenantId of tenants)
      if ((await sumChanges(w, tenantId, COUNTS_BATCH_SIZE)) === COUNTS_BATCH_SIZE) isFull = true;
    return isFull || tenants.length === MAX_TENANTS;
  });
}
