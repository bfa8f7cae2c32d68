import type { Static } from 'typebox';
import { fail, invalid } from '../../../base/errors.js';
import type { BaseContext } from '../../../http/route.js';
import { reader } from '../../../ledger/write.js';
import { sheetsFile } from '../files.js';
import { hoursReplyFor } from '../hours-reply.js';
import { keepReading } from '../readings.js';
import { type RecordOpened, readSheets } from '../sheets.js';
import type { WriteHours } from '../write-hours.js';
import type { InspectedQuery } from './inspections.schema.js';
import { countLook } from './inspections.store.js';
import { requireInspector } from './opening.js';

type Context = Pick<BaseContext, 'deps' | 'header' | 'isHead' | 'setHeader' | 'writeIn'> & {
  readonly query: Static<typeof InspectedQuery>;
};

/**
 * The sheets of a month of the inspection, as JSON or as a file. Each look is in the audit log, and the phones of all people of the site show
 * it. One that ended in between shows nothing.
 */
export async function inspectedSheets(context: Context, writeHours: WriteHours) {
  const { deps, query, isHead, setHeader, writeIn } = context;
  const { scope, inspection, site } = await requireInspector(context);
  const { id, from_month: from, to_month: to, company } = inspection;
  const { format = 'json', month } = query;
  if (month < from || month > to) invalid('query.month', `must be from ${from} to ${to}`);
  const record: RecordOpened = (of) =>
    writeIn(scope, { type: 'inspector', id }, 'attendance.inspection_read', async (w) => {
      const metadata = { siteId: of.siteId, period: of.month, format };
      w.audit({ entityType: 'inspection', entityId: id, metadata });
      if (!(await countLook(w, id, new Date(deps.clock.now())))) fail('inspection_not_found');
      await keepReading(w, deps, { readerType: 'inspector', readerId: id }, of);
    });
  const of = { deps, scope, read: reader(deps.db, scope), isHead, setHeader, query };
  if (format === 'json') return readSheets(of, site, record);
  if (format !== 'svc-hours') return sheetsFile({ ...of, company }, site, format, record);
  const requireReader = async () => void (await requireInspector(context));
  return hoursReplyFor(of, site, { writeHours, company, record, requireReader });
}
