import type { Database } from '../../db/db.js';
import type { Expiry } from '../../db/expiry.js';
import { join, sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { leadsKeptSince } from '../../model/lead-retention.js';

export const LEAD_EXPIRY: Expiry = {
  table: sql`leads`,
  key: sql`id`,
  column: sql`created_at`,
  before: leadsKeptSince,
};

export interface LeadRow {
  id: string;
  type: 'pilot' | 'whitepaper';
  email: string;
  name: string | null;
  company: string | null;
  size: string | null;
  created_at: Date;
}

export async function insertLead(w: UnauditedWrite<'leads'>, lead: LeadRow): Promise<void> {
  await w.mutate(sql.mutation`insert into leads (id, type, email, name, company, size, created_at)
    values (${lead.id}, ${lead.type}, ${lead.email}, ${lead.name}, ${lead.company}, ${lead.size}, ${lead.created_at})`);
}

export function listLeads(
  db: Database,
  type: LeadRow['type'] | undefined,
  count: number,
  before: string | undefined,
): Promise<LeadRow[]> {
  const conditions = [
    sql`true`,
    ...(type ? [sql`type = ${type}`] : []),
    ...(before ? [sql`id < ${before}::uuid`] : []),
  ];
  return db.query<LeadRow>(sql.query`select id, type, email, name, company, size, created_at from leads
    where ${join(conditions, ' and ')} order by id desc limit ${count}`);
}
