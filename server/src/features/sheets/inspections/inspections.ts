import type { Static } from 'typebox';
import { catchError, fail, invalid } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import { type ConsolePrincipal, type KeyPrincipal, memberIdOf } from '../../../http/principal.js';
import type { ScopedContext } from '../../../http/route.js';
import { page } from '../../../records/list.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import { isOwnSite, ownSites, requireOwnSite } from '../../sites/sites.js';
import { type CreateBody, DEFAULT_HOURS, type ListQuery, MAX_MONTHS } from './inspections.schema.js';
import * as store from './inspections.store.js';
import { codeHashes, drawCode, drawToken, readToken } from './link.js';

const HOUR_MS = 60 * 60_000;

export const serializeInspection = (row: store.InspectionRow) => ({
  ...{ id: row.id, siteId: row.site_id, from: row.from_month, to: row.to_month },
  ...{ expiresAt: iso(row.expires_at), openedAt: isoOrNull(row.opened_at), looks: row.looks },
  ...{ createdBy: row.created_by, createdAt: iso(row.created_at), revokedAt: isoOrNull(row.revoked_at) },
});

type Context = Pick<ScopedContext, 'scope' | 'read' | 'write'> & {
  readonly deps: Pick<Deps, 'clock' | 'config' | 'cursors' | 'ids' | 'keyring' | 'random'>;
  readonly principal: KeyPrincipal | ConsolePrincipal;
};

/** Months since the year 0. */
const numberOf = (month: string): number => {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return year * 12 + of;
};

/** 400 unless the months are in order and at most four years. */
function requirePeriod({ from, to }: Pick<Static<typeof CreateBody>, 'from' | 'to'>): void {
  const months = numberOf(to) - numberOf(from) + 1;
  if (months < 1) invalid('body.to', 'must not be before from');
  if (months > MAX_MONTHS) invalid('body.to', `must be at most ${MAX_MONTHS} months with from`);
}

/** Lets somebody without an account read the sheets of a site. Link and code are in this response only. */
export async function createInspection(context: Context, input: Static<typeof CreateBody>) {
  const { deps, scope, write, principal } = context;
  requirePeriod(input);
  const site = await requireOwnSite(context, input.siteId);
  const { from, to, hours = DEFAULT_HOURS } = input;
  const now = deps.clock.now();
  const [id, token, code] = [deps.ids(), drawToken(scope, deps.random), drawCode(deps.random)];
  const { tokenHash } = readToken(token);
  const [codeHash = ''] = codeHashes(deps, tokenHash, code);
  const row = await write('attendance.inspection_created', (w) => {
    const metadata = { siteId: site.id, from, to, hours };
    w.audit({ entityType: 'inspection', entityId: id, metadata });
    return store.insertInspection(w, {
      ...{ id, site_id: site.id, from_month: from, to_month: to, token_hash: tokenHash, code_hash: codeHash },
      ...{ expires_at: new Date(now + hours * HOUR_MS), created_at: new Date(now) },
      created_by: memberIdOf(principal),
    });
  });
  const url = `${deps.config.baseUrl}/inspection#${token}`;
  return { inspection: serializeInspection(row), url, code };
}

/** Those of a site, or of all sites that the rights are for. */
export async function listInspections(context: Context & { readonly query: Static<typeof ListQuery> }) {
  const { deps, scope, read, query } = context;
  const site = query.siteId === undefined ? undefined : await requireOwnSite(context, query.siteId);
  const siteIds = site ? [site.id] : ownSites(context);
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    site ? `inspections|${site.id}` : 'inspections',
    query,
    (count, after) => store.listInspections(read, siteIds, count, after),
    ({ id }) => id,
  );
  return { inspections: items.map(serializeInspection), environment: scope.environment, nextCursor };
}

/** Ends all inspections of a chain after a restore. */
export const endRestoredInspections: typeof store.endRestored = (...restored) =>
  store.endRestored(...restored);

/** Ends an inspection: the link, and pages that are open. One that was revoked before stays as it is. */
export async function revokeInspection(context: Context, id: string): Promise<store.InspectionRow> {
  const { deps, read, write } = context;
  const found = await store.findInspection(read, id);
  if (found === undefined || !isOwnSite(context, found.site_id)) return fail('inspection_not_found');
  if (found.revoked_at !== null) return found;
  const revoking = write('attendance.inspection_revoked', async (w) => {
    w.audit({ entityType: 'inspection', entityId: id, metadata: { siteId: found.site_id } });
    const row = await store.revokeInspection(w, id, new Date(deps.clock.now()));
    return row ?? fail('inspection_not_found', { because: 'revoked concurrently' });
  });
  const revoked = await catchError('inspection_not_found', revoking);
  return revoked ?? (await store.findInspection(read, id)) ?? fail('inspection_not_found');
}
