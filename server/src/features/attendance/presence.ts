import type { Deps } from '../../http/deps.js';
import type { Read } from '../../ledger/write.js';
import { nameIn } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { namesOf } from '../users/users.js';
import * as store from './presence.store.js';

const DAY_MS = 24 * 60 * 60_000;
/** A person who checks in that long after a check-in forgot to check out. */
const MAX_STAY_MS = 16 * 60 * 60_000;
/** Of each type. */
const MAX_EVENTS = 10_000;
const MAX_PEOPLE = 50;

/** From a check-in to the check-out after it. Without `from` the person came earlier than the events begin, without `to` they are in. */
interface Stay {
  readonly from: Date | null;
  readonly to: Date | null;
}

/**
 * The stays of one person, whose events are in order. A check-in or a check-out after one of its kind changes nothing, but a
 * check-in after 16 hours begins a new stay. Nobody is out without a check-out: on a list for an evacuation, one name too many is safer.
 */
export function staysOf(events: readonly Pick<store.Passage, 'type' | 'at'>[]): Stay[] {
  const stays: Stay[] = [];
  let since: Date | undefined;
  for (const { type, at } of events) {
    if (type === 'check_in') {
      if (since === undefined || at.getTime() - since.getTime() >= MAX_STAY_MS) since = at;
    } else if (since !== undefined || stays.length === 0) {
      stays.push({ from: since ?? null, to: at });
      since = undefined;
    }
  }
  if (since !== undefined) stays.push({ from: since, to: null });
  return stays;
}

const lastOf = ({ stays }: { readonly stays: readonly Stay[] }) => stays.at(-1) as Stay;
const timeOf = (time: Date | null): number => time?.getTime() ?? 0;

/** Who is in: the people whose last event in 24 hours is a check-in. Those who came last are first, then those who left last. */
export async function readPresence(read: Read, { clock }: Pick<Deps, 'clock'>) {
  const since = new Date(clock.now() - DAY_MS);
  const events = await store.listPassages(read, since, MAX_EVENTS);
  const byPerson = new Map<string, store.Passage[]>();
  for (const event of events) {
    const own = byPerson.get(event.userId);
    if (own) own.push(event);
    else byPerson.set(event.userId, [event]);
  }
  const people = [...byPerson].map(([userId, own]) => ({ userId, stays: staysOf(own) }));
  const present = people.filter((person) => lastOf(person).to === null);
  present.sort((left, right) => timeOf(lastOf(right).from) - timeOf(lastOf(left).from));
  const gone = people.filter((person) => lastOf(person).to !== null);
  gone.sort((left, right) => timeOf(lastOf(right).to) - timeOf(lastOf(left).to));
  const shown = [...present, ...gone].slice(0, MAX_PEOPLE);
  const names = await namesOf(
    read,
    shown.map(({ userId }) => userId),
  );
  return {
    since: iso(since),
    present: present.length,
    gone: gone.length,
    people: shown.map(({ userId, stays }) => ({
      userId,
      userName: nameIn(names, userId),
      stays: stays.map(({ from, to }) => ({ from: from && iso(from), to: to && iso(to) })),
    })),
  };
}
