import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { page } from '../../records/list.js';
import { keysThatRead } from '../keys/keys.js';
import type { CreateSiteBody, ListSitesQuery, PatchSiteBody } from './sites.schema.js';
import * as store from './sites.store.js';

export {
  isOwnPerson,
  isOwnSite,
  isTimeOn,
  mayReadAttendance,
  ownSites,
  requireAttendanceReader,
  requireOwnPerson,
  requireOwnSite,
} from './rights.js';

/** Sites of an environment. */
const MAX_SITES = 500;
const DEFAULTS = { retention_months: 48, attendance_from: 'desk', breaks: true } as const;

type Context = Pick<ScopedContext, 'scope' | 'read' | 'write'> & {
  readonly deps: Pick<Deps, 'clock' | 'cursors' | 'ids'>;
};

export type SiteRow = store.SiteRow;
export const serializeSite = store.sites.serialize;

/** Newer runtimes also take offsets such as +01:00, which know no daylight saving. */
function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

/** 400 unless the runtime knows the zone. */
function requireZone(zone: string | undefined): void {
  if (zone === undefined || isZone(zone)) return;
  invalid('body.timeZone', 'must be a zone of the IANA database, such as Europe/Berlin');
}

/** Creates a site. With the first one, attendance is working time from then on. */
export async function createSite(
  { scope, read, write, deps }: Context,
  input: Static<typeof CreateSiteBody>,
) {
  requireZone(input.timeZone);
  const now = new Date(deps.clock.now());
  const id = deps.ids();
  const { row, isFirst } = await write('site.created', async (w) => {
    const count = await store.countSites(w);
    if (count >= MAX_SITES) fail('site_limit_reached');
    w.audit({ entityType: 'site', entityId: id });
    const row = await store.insertSite(w, {
      ...DEFAULTS,
      ...store.sites.fromWire(input),
      ...{ id, environment: scope.environment, created_at: now, updated_at: now },
    });
    return { row, isFirst: count === 0 };
  });
  return {
    site: serializeSite(row),
    keys: isFirst ? await keysThatRead(read, 'attendance:read', now) : [],
  };
}

export async function updateSite(
  { write, deps }: Context,
  id: string,
  input: Static<typeof PatchSiteBody>,
): Promise<SiteRow> {
  requireZone(input.timeZone);
  return write('site.updated', async (w) => {
    const fields = Object.keys(input).sort().join(' ');
    w.audit({ entityType: 'site', entityId: id, metadata: { fields } });
    const row = await store.updateSite(w, id, store.sites.fromWire(input), new Date(deps.clock.now()));
    return row ?? fail('site_not_found');
  });
}

export async function requireSite(read: Read, id: string): Promise<SiteRow> {
  return (await store.findSite(read, id)) ?? fail('site_not_found');
}

export async function listSites({ scope, read, deps }: Context, query: Static<typeof ListSitesQuery>) {
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    'sites',
    query,
    (count, after) => store.listSites(read, count, after),
    ({ id }) => id,
  );
  return { sites: items.map(serializeSite), environment: scope.environment, nextCursor };
}

/** Sites of any account that keeps its records up, in the order of their ids. */
export const listKeptSites = store.listKept;

/** The site of a device, by its `locationId`. */
export const siteOfDevice = (read: Read, deviceId: string): Promise<SiteRow | undefined> =>
  store.findSiteOfDevice(read, deviceId);

export const findSite = (read: Read, id: string): Promise<SiteRow | undefined> => store.findSite(read, id);
