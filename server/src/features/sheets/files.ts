import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import { requireRight } from '../../http/access.js';
import type { BaseContext } from '../../http/route.js';
import { requireOwnSite, type SiteRow } from '../sites/sites.js';
import { sheetsCsv } from './files/csv.js';
import { payrollCsv } from './files/payroll.js';
import type { PersonSheet } from './files/people.js';
import type { TableFormat } from './files/table-format.js';
import { xlsxInThread } from './files/xlsx/in-thread.js';
import { HOURS_MEDIA_TYPE, hoursReply } from './hours-reply.js';
import { recordReading } from './readings.js';
import { allSheets, listSheets, optionsOf, type RecordOpened, type SheetsContext } from './sheets.js';
import type { SheetsQuery } from './sheets.schema.js';
import type { WriteHours } from './write-hours.js';

type Query = Static<typeof SheetsQuery>;
type Context = SheetsContext & Pick<BaseContext, 'setHeader'> & { readonly query: Query };

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media types of the files, with an example of each. */
export const SHEET_FILES = {
  [CSV]: 'employeeCode;date;type;hours\r\n1815;2026-05-12;100;8,00\r\n',
  [XLSX]: 'PK',
  [HOURS_MEDIA_TYPE]: '{"format":"svc-hours-1"}\n',
};

const FILES = { csv: 'csv', xlsx: 'xlsx', payroll: 'csv' } as const;
const CHARSETS = { 'utf-8': 'utf-8', 'utf-8-bom': 'utf-8', 'windows-1252': 'windows-1252' } as const;

/** The sheets as JSON, or as a file of the whole site. */
export async function sheetsReply(context: Context, writeHours: WriteHours) {
  const { query, principal } = context;
  const { format = 'json' } = query;
  if (format === 'json') return listSheets(context);
  if (format === 'svc-hours') return hoursReply(context, writeHours);
  if ('member' in principal) requireRight(principal, 'hours');
  if (query.userId !== undefined) invalid('query.userId', 'only with format=json');
  const { deps, write } = context;
  const site = await requireOwnSite(context, query.siteId);
  return sheetsFile({ ...context, company: principal.tenant.companyName }, site, format, (of) =>
    write('attendance.sheets_exported', (w) => recordReading(w, deps, principal, of)),
  );
}

type FileContext = Pick<Context, 'deps' | 'scope' | 'read' | 'isHead' | 'setHeader'> & {
  readonly query: Omit<Query, 'siteId' | 'userId' | 'format'>;
  /** The name of the account. */
  readonly company: string;
};

/** A file of a whole site, some people at a time. What leaves is recorded before its first byte. */
export async function sheetsFile(
  { read, query, isHead, setHeader, company }: FileContext,
  site: SiteRow,
  format: keyof typeof FILES,
  record: RecordOpened,
) {
  const { month } = query;
  if (!isHead) await record({ siteId: site.id, userId: null, month });
  const { payroll } = site;
  const table: TableFormat = {
    separator: query.separator ?? payroll?.separator ?? ';',
    decimal: query.decimal ?? payroll?.decimal ?? ',',
    encoding: query.encoding ?? payroll?.encoding ?? 'utf-8',
    hours: query.hours ?? payroll?.hours ?? 'decimal',
  };
  const charset = format === 'xlsx' ? '' : `; charset=${CHARSETS[table.encoding]}`;
  setHeader('content-type', `${format === 'xlsx' ? XLSX : CSV}${charset}`);
  setHeader(
    'content-disposition',
    `attachment; filename="${format === 'payroll' ? 'payroll' : 'hours'}-${month}.${FILES[format]}"`,
  );
  setHeader('cache-control', 'no-store');
  const options = await optionsOf(read, site, month);
  const period = {
    site: { name: site.name, timeZone: options.zone },
    ...{ company, month },
  };
  const people = eachOf(allSheets(read, site, options));
  if (format === 'csv') return sheetsCsv(people, period, table);
  if (format === 'xlsx') return xlsxInThread(people, period);
  return payrollCsv(people, period, { ...table, workType: payroll?.workType ?? 'work' });
}

async function* eachOf(pages: ReturnType<typeof allSheets>): AsyncGenerator<PersonSheet> {
  for await (const people of pages) yield* people;
}
