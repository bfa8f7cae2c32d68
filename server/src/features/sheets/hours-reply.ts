import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import { requireScope } from '../../http/access.js';
import type { BaseContext } from '../../http/route.js';
import { firstKeptMonth } from '../attendance/attendance.js';
import { requireOwnSite, type SiteRow } from '../sites/sites.js';
import { requireUser } from '../users/users.js';
import { recordReading } from './readings.js';
import type { RecordOpened, SheetsContext } from './sheets.js';
import type { SheetsQuery } from './sheets.schema.js';
import type { WriteHours } from './write-hours.js';

export const HOURS_MEDIA_TYPE = 'application/x-ndjson';

type Query = Pick<Static<typeof SheetsQuery>, 'month' | 'from'>;
type ReplyContext = Pick<SheetsContext, 'deps' | 'read' | 'isHead'> &
  Pick<BaseContext, 'setHeader'> & { readonly query: Query };

/** Who fetches a file of a month. */
interface Reader {
  /** The name of the account. */
  readonly company: string;
  /** Undefined: the file has everybody. */
  readonly userId?: string | undefined;
  readonly writeHours: WriteHours;
  readonly record: RecordOpened;
  /** Throws once they may read no more. */
  readonly requireReader: () => Promise<void>;
}

type Context = SheetsContext &
  Pick<BaseContext, 'setHeader'> & { readonly query: Static<typeof SheetsQuery> };

/** The file of a month for a key, or for a member who reads sheets. */
export async function hoursReply(context: Context, writeHours: WriteHours) {
  const { deps, read, write, principal, query } = context;
  if ('keyId' in principal)
    for (const scope of ['identity:read', 'audit:read'] as const) requireScope(principal, scope);
  const site = await requireOwnSite(context, query.siteId);
  const userId = query.userId?.toLowerCase();
  if (userId !== undefined) await requireUser(read, userId);
  return hoursReplyFor(context, site, {
    writeHours,
    ...{ company: principal.tenant.companyName, userId },
    record: (of) => write('attendance.sheets_exported', (w) => recordReading(w, deps, principal, of)),
    async requireReader() {
      if ((await read.query(principal.revalidate(deps.clock.now()))).length === 0)
        throw new Error('The credential of this export has ended');
    },
  });
}

/** The same for any reader. What leaves is recorded before its first byte. */
export async function hoursReplyFor(
  { deps, read, query: { month, from }, isHead, setHeader }: ReplyContext,
  site: SiteRow,
  { writeHours, company, userId, record, requireReader }: Reader,
) {
  // Its entries would be without their records, as if somebody had deleted them.
  if (month < firstKeptMonth(site, deps.clock.now()))
    invalid('query.month', `is older than what the site keeps: retentionMonths is ${site.retention_months}`);
  if (!isHead) await record({ siteId: site.id, userId: userId ?? null, month });
  setHeader('content-type', `${HOURS_MEDIA_TYPE}; charset=utf-8`);
  setHeader('content-disposition', `attachment; filename="hours-${month}.jsonl"`);
  setHeader('cache-control', 'no-store');
  const asked = { site, month, userId, from: from === undefined ? undefined : Number(from) };
  return writeHours({ deps, read, company, requireReader }, asked);
}
