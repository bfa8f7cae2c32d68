import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { countAll } from '../../records/counts.js';
import { attendanceList } from '../attendance/attendance.js';
import { auditList } from '../audit/audit.js';
import { deviceList } from '../devices/devices.js';
import { userList } from '../users/users.js';
import { verificationList } from '../verifications/verifications.js';

const ROWS = 10;

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
