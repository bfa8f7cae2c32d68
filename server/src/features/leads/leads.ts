import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import { canonicalEmail } from '../../model/email.js';
import { page } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import type { ListLeadsQuery } from './leads.schema.js';
import * as store from './leads.store.js';

export { LEAD_EXPIRY } from './leads.store.js';

export interface LeadInput {
  readonly email: string;
  readonly name?: string;
  readonly company?: string;
  readonly size?: string | number;
}

/** A request to be contacted. Each is a lead of its own, so the response never reveals whether an e-mail was seen before. */
export async function recordLead(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  type: store.LeadRow['type'],
  input: LeadInput,
) {
  const email = canonicalEmail(input.email) ?? invalid('body.email', 'must be an e-mail address in ASCII');
  const lead: store.LeadRow = {
    id: ids(),
    type,
    email,
    name: input.name?.trim() ?? null,
    company: input.company?.trim() ?? null,
    size: input.size === undefined ? null : String(input.size).trim(),
    created_at: new Date(clock.now()),
  };
  await store.insertLead(unaudited(db, 'leads'), lead);
  return { id: lead.id, createdAt: iso(lead.created_at) };
}

const serializeLead = (row: store.LeadRow) => ({
  id: row.id,
  type: row.type,
  email: row.email,
  name: row.name,
  company: row.company,
  size: row.size,
  createdAt: iso(row.created_at),
});

type ListContext = {
  readonly deps: Pick<Deps, 'db' | 'cursors'>;
  readonly query: Static<typeof ListLeadsQuery>;
};

export async function listLeads({ deps, query }: ListContext) {
  const { items, nextCursor } = await page(
    deps.cursors,
    undefined,
    `leads|${query.type ?? ''}`,
    query,
    (count, before) => store.listLeads(deps.db, query.type, count, before),
    (row) => row.id,
  );
  return { leads: items.map(serializeLead), nextCursor };
}
