import type { Static } from 'typebox';
import { requireScope } from '../../http/access.js';
import type { BaseContext } from '../../http/route.js';
import { hoursFile } from '../hours-file/hours-file.js';
import { requireOwnSite } from '../sites/sites.js';
import { requireUser } from '../users/users.js';
import { recordReading } from './readings.js';
import type { SheetsContext } from './sheets.js';
import type { SheetsQuery } from './sheets.schema.js';

export const HOURS_MEDIA_TYPE = 'application/x-ndjson';

type Context = SheetsContext &
  Pick<BaseContext, 'setHeader'> & { readonly query: Static<typeof SheetsQuery> };

/** The file of a month for a key, or for a member who reads sheets. What leaves is recorded before its first byte. */
export async function hoursReply(context: Context) {
  const { deps, read, write, principal, query, isHead, setHeader } = context;
  if ('keyId' in principal)
    for (const scope of ['identity:read', 'audit:read'] as const) requireScope(principal, scope);
  const site = await requireOwnSite(context, query.siteId);
  const { month, from } = query;
  const userId = query.userId?.toLowerCase();
  if (userId !== undefined) await requireUser(read, userId);
  const of = { siteId: site.id, userId: userId ?? null, month };
  if (!isHead) await write('attendance.sheets_exported', (w) => recordReading(w, deps, principal, of));
  setHeader('content-type', `${HOURS_MEDIA_TYPE}; charset=utf-8`);
  setHeader('content-disposition', `attachment; filename="hours-${month}.jsonl"`);
  setHeader('cache-control', 'no-store');
  const requireReader = async () => {
    if ((await read.query(principal.revalidate(deps.clock.now()))).length === 0)
      throw new Error('The credential of this export has ended');
  };
  const reader = { deps, read, company: principal.tenant.companyName, requireReader };
  return hoursFile(reader, { site, month, userId, from: from === undefined ? undefined : Number(from) });
}
