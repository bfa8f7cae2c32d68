import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { countAll, countByDay } from '../../records/counts.js';
import { listPage } from '../../records/list.js';
import { isoOrNull } from '../../records/schema.js';
import { identitiesLockedAt } from '../accounts/accounts.js';
import { attendanceListing } from '../attendance/attendance.js';
import { auditList } from '../audit/audit.js';
import { deviceListing } from '../devices/devices.js';
import { lockedOut } from '../identities/identities.js';
import { countCompleted } from '../registrations/registrations.js';
import { mayReadAttendance } from '../sites/sites.js';
import { countAdded, userListing } from '../users/users.js';
import { countPeople, RESULTS, verificationListing } from '../verifications/verifications.js';

import type { OverviewQuery } from './overview.schema.js';

const ROWS = 10;
const DAYS = 14;
const DAY_MS = 86_400_000;

/** Today and the days before it (UTC), oldest first. */
const lastDays = (now: number): string[] =>
  Array.from({ length: DAYS }, (_, at) =>
    new Date(now - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

/** When today began for the reader. */
function sinceOf(since: string | undefined, now: number): number {
  if (since === undefined) return now - (now % DAY_MS);
  const time = Date.parse(since);
  if (now - time > 2 * DAY_MS) invalid('query.since', 'must not be more than 48 hours ago');
  return time;
}

/** None for a member who may not read the attendance of others. */
async function recentAttendance(
  context: Parameters<typeof mayReadAttendance>[0] & Parameters<typeof auditList>[0],
) {
  if (!(await mayReadAttendance(context))) return { attendance: [] };
  const { attendance } = await listPage(context, 'attendance', attendanceListing);
  return { attendance };
}

export async function readOverview({
  read,
  scope,
  deps,
  principal,
  query: { since: given },
}: Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'history' | 'keyring'>;
  principal: ConsolePrincipal;
  query: Static<typeof OverviewQuery>;
}) {
  const context = { read, scope, deps, principal, query: { limit: ROWS } };
  const now = deps.clock.now();
  const days = lastDays(now);
  const since = sinceOf(given, now);
  const history = deps.history.of(scope);
  const [
    counts,
    verificationDays,
    signedIn,
    registered,
    added,
    locked,
    identitiesLocked,
    { devices },
    { users },
    { verifications },
    { attendance },
    { audit },
  ] = await Promise.all([
    countAll(history),
    countByDay(history, days, RESULTS),
    countPeople(history, since),
    countCompleted(history, since),
    countAdded(history, since),
    lockedOut(read, now),
    identitiesLockedAt(read),
    listPage(context, 'devices', deviceListing),
    listPage(context, 'users', userListing),
    listPage(context, 'verifications', verificationListing),
    recentAttendance(context),
    auditList(context),
  ]);
  return {
    environment: scope.environment,
    counts,
    verificationDays,
    today: { signedIn, registered, added },
    lockedOut: locked,
    identitiesLockedAt: isoOrNull(identitiesLocked),
    recent: { devices, users, verifications, attendance, audit },
  };
}
