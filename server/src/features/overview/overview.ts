import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { countAll } from '../../records/counts.js';
import { listPage } from '../../records/list.js';
import { attendanceListing } from '../attendance/attendance.js';
import { auditList } from '../audit/audit.js';
import { deviceListing } from '../devices/devices.js';
import { userListing } from '../users/users.js';
import { verificationListing } from '../verifications/verifications.js';

const ROWS = 10;

export async function readOverview({
  read,
  scope,
  deps,
}: Pick<ScopedContext, 'read' | 'scope'> & { deps: Pick<Deps, 'cursors' | 'history' | 'keyring'> }) {
  const context = { read, scope, deps, query: { limit: ROWS } };
  const [counts, { devices }, { users }, { verifications }, { attendance }, { audit }] = await Promise.all([
    countAll(deps.history.of(scope)),
    listPage(context, 'devices', deviceListing),
    listPage(context, 'users', userListing),
    listPage(context, 'verifications', verificationListing),
    listPage(context, 'attendance', attendanceListing),
    auditList(context),
  ]);
  return {
    environment: scope.environment,
    counts,
    recent: { devices, users, verifications, attendance, audit },
  };
}
