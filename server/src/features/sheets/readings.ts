import type { Deps } from '../../http/deps.js';
import { type ConsolePrincipal, type KeyPrincipal, memberIdOf } from '../../http/principal.js';
import type { Read, Write } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import * as store from './readings.store.js';

/** Readings that a phone shows. */
const MAX_SHOWN = 50;

type Reader = KeyPrincipal | ConsolePrincipal;

/** Who opened a person's sheet of a month, or those of their whole site, newest first. */
export async function listReadings(
  read: Read,
  { userId, siteId }: { readonly userId: string; readonly siteId: string | null },
  month: string,
) {
  if (siteId === null) return [];
  const rows = await store.listReadings(read, { userId, siteId }, month, MAX_SHOWN);
  return rows.map(({ at, by, name, is_of_site: isOfSite }) => ({ at: iso(at), by, name, month, isOfSite }));
}

/** Records within a write that somebody opens sheets. Without a person, those of the whole site. */
export async function recordReading(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  principal: Reader,
  of: { readonly siteId: string; readonly userId: string | null; readonly month: string },
): Promise<void> {
  const { siteId, userId, month } = of;
  const memberId = memberIdOf(principal);
  w.audit({
    ...(userId === null
      ? { entityType: 'site', entityId: siteId }
      : { entityType: 'user', entityId: userId }),
    metadata: { siteId, period: month },
  });
  const reader =
    'keyId' in principal
      ? ({ readerType: 'api_key', readerId: principal.keyId } as const)
      : ({ readerType: 'member', readerId: memberId as string } as const);
  await store.insertReading(w, { id: ids(), siteId, userId, month, ...reader }, new Date(clock.now()));
}
