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

/** The sheets that somebody opens. Without a person, those of the whole site. */
export type Opened = Pick<store.NewReading, 'siteId' | 'userId' | 'month'>;

/** Records within a write that a member or a key opens sheets. */
export async function recordReading(
  w: Write,
  deps: Pick<Deps, 'ids' | 'clock'>,
  principal: Reader,
  of: Opened,
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
  await keepReading(w, deps, reader, of);
}

/** Keeps for the phones of people who opened their sheets. */
export const keepReading = (
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  reader: Pick<store.NewReading, 'readerType' | 'readerId'>,
  of: Opened,
): Promise<void> => store.insertReading(w, { id: ids(), ...of, ...reader }, new Date(clock.now()));
