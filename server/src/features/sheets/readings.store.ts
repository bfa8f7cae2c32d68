import { sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';

/** `inspector`: somebody with the link and the code of an inspection. */
type ReaderType = 'api_key' | 'member' | 'inspector';

export interface NewReading {
  readonly id: string;
  readonly siteId: string;
  /** Null: the sheets of the whole site. */
  readonly userId: string | null;
  readonly month: string;
  readonly readerType: ReaderType;
  readonly readerId: string;
}

export async function insertReading(w: Write, of: NewReading, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into attendance_readings (tenant_id, environment, id, site_id, user_id, month, reader_type,
      reader_id, read_at)
    values (${tenantId}, ${environment}, ${of.id}, ${of.siteId}, ${of.userId}, ${of.month}, ${of.readerType}, ${of.readerId}, ${now})`);
}

/** Deletes the readings of months before one, at a site. */
export async function deleteOldReadings(w: Write, siteId: string, month: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_readings
    where ${within(w.scope)} and site_id = ${siteId} and month < ${month}`);
}

export interface ReadingRow {
  readonly at: Date;
  readonly by: ReaderType;
  readonly name: string | null;
  readonly is_of_site: boolean;
}

/** Of a person's sheet, newest first. */
export const listReadings = (
  read: Read,
  { userId, siteId }: { readonly userId: string; readonly siteId: string },
  month: string,
  limit: number,
): Promise<ReadingRow[]> =>
  read.query<ReadingRow>(sql.query`select r.read_at as at, r.reader_type as by, m.name,
      r.user_id is null as is_of_site
    from attendance_readings r left join members m on m.tenant_id = ${read.scope.tenantId} and m.id = r.reader_id and r.reader_type = 'member'
    where r.tenant_id = ${read.scope.tenantId} and r.environment = ${read.scope.environment} and r.site_id = ${siteId}
      and r.month = ${month} and (r.user_id is null or r.user_id = ${userId})
    order by r.id desc limit ${limit}`);
