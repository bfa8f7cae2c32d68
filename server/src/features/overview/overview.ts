import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { countAll, countByDay } from '../../records/counts.js';
import { listPage } from '../../records/list.js';
import { isoOrNull } from '../../records/schema.js';
import { identitiesLockedAt } from '../accounts/accounts.js';
import { attendanceListing } from '../attendance/attendance.js';
import { auditList } from '../audit/audit.js';
import { deviceListing } from '../devices/devices.js';
import { lockedOut } from '../identities/identities.js';
import { userListing } from '../users/users.js';
import { RESULTS, verificationListing } from '../verifications/verifications.js';

const ROWS = 10;
const DAYS = 14;
const DAY_MS = 86_400_000;

/** Today and the days before it (UTC), oldest first. */
const lastDays = (now: number): string[] =>
  Array.from({ length: DAYS }, (_, at) =>
    new Date(now - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

export async function readOverview({
  read,
  scope,
  deps,
}: Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'history' | 'keyring'>;
}) {
  const context = { read, scope, deps, query: { limit: ROWS } };
  const now = deps.clock.now();
  const days = lastDays(now);
  const [
    counts,
    verificationDays,
    locked,
    identitiesLocked,
    { devices },
    { users },
    { verifications },
    { attendance },
    { audit },
  ] = await Promise.all([
    countAll(deps.history.of(scope)),
    countByDay(deps.history.of(scope), days, RESULTS),
    lockedOut(read, now),
    identitiesLockedAt(read),
    listPage(context, 'devices', deviceListing),
    listPage(context, 'users', userListing),
    listPage(context, 'verifications', verificationListing),
    listPage(context, 'attendance', attendanceListing),
    auditList(context),
  ]);
  return {
    environment: scope.environment,
    counts,
    verificationDays,
    lockedOut: locked,
    identitiesLockedAt: isoOrNull(identitiesLocked),
    recent: { devices, users, verifications, attendance, audit },
  };
}
