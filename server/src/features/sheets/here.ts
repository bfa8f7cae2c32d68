import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read } from '../../ledger/write.js';
import { nameIn } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { namesOf as deviceNamesOf } from '../devices/devices.js';
import { findSite } from '../sites/sites.js';
import * as store from './here.store.js';

const HOUR_MS = 60 * 60_000;
/** How far back an event can say that somebody is here. */
const LOOKS_BACK_MS = 36 * HOUR_MS;
const STALE_MS = 16 * HOUR_MS;

interface Stay {
  readonly since: Date;
  readonly deviceId: string | null;
  readonly isOnBreak: boolean;
}

/**
 * Where the events of one person, oldest first, leave them: undefined if they are not on site. A break is on site. Nobody is out without a
 * check-out: on a list for an evacuation, one name too many is safer.
 */
function stayAfter(events: readonly Omit<store.HereEvent, 'userId' | 'name'>[]): Stay | undefined {
  let stay: Stay | undefined;
  for (const { type, reason, mode, at, deviceId } of events) {
    if (mode === 'remote') stay = undefined;
    else if (reason === 'break') stay = { since: at, deviceId, ...stay, isOnBreak: type === 'check_out' };
    else stay = type === 'check_in' ? { since: at, deviceId, isOnBreak: false } : undefined;
  }
  return stay;
}

/** Who is on site, by name, and who has a mark for today. */
export async function readHere(read: Read, { clock }: Pick<Deps, 'clock'>, siteId: string) {
  const site = (await findSite(read, siteId)) ?? fail('site_not_found');
  const now = clock.now();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: site.time_zone, dateStyle: 'short' }).format(
    now,
  );
  const [events, absent] = await Promise.all([
    store.listRecent(read, site.id, new Date(now - LOOKS_BACK_MS)),
    store.listAbsent(read, site.id, today),
  ]);
  const byPerson = new Map<string, store.HereEvent[]>();
  for (const event of events) {
    const own = byPerson.get(event.userId);
    if (own) own.push(event);
    else byPerson.set(event.userId, [event]);
  }
  const here = [...byPerson.values()].flatMap((own) => {
    const stay = stayAfter(own);
    const [{ userId, name }] = own as [store.HereEvent];
    return stay ? [{ userId, name, ...stay }] : [];
  });
  const names = await deviceNamesOf(
    read,
    here.map(({ deviceId }) => deviceId),
  );
  return {
    site: { id: site.id, name: site.name },
    at: iso(new Date(now)),
    here: here
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ userId, name, since, deviceId, isOnBreak }) => ({
        ...{ userId, name, since: iso(since), deviceName: nameIn(names, deviceId), isOnBreak },
        isStale: now - since.getTime() > STALE_MS,
      })),
    absent,
  };
}
