import type { Environment } from '../../../operations/api';
import { forgetLists, HERE_LISTS } from '../../../operations/forget-lists';
import type { Presence } from '../presence';

/** The list looks at the last 36 hours. An older one helps nobody. */
const MAX_AGE_MS = 36 * 60 * 60_000;

/** A list as it was last read. */
export interface KeptList {
  readonly of: Presence;
  readonly timeZone: string;
  /** By the clock of this device, which measures how old it is. */
  readonly keptAt: number;
}

type Lists = Readonly<Record<string, KeptList>>;

function readLists(): Lists {
  try {
    return JSON.parse(localStorage.getItem(HERE_LISTS) ?? '{}');
  } catch {
    return {};
  }
}

const youngOf = (lists: Lists, now: number): Lists =>
  Object.fromEntries(Object.entries(lists).filter(([, { keptAt }]) => now - keptAt < MAX_AGE_MS));

const keyOf = (environment: Environment, siteId: string) => `${environment} ${siteId}`;

/** Keeps the list of a site in place of the one before. */
export function keepList(environment: Environment, list: KeptList): void {
  try {
    const young = youngOf(readLists(), list.keptAt);
    const lists = { ...young, [keyOf(environment, list.of.site.id)]: list };
    localStorage.setItem(HERE_LISTS, JSON.stringify(lists));
  } catch {
    // A browser without storage, or a full one. Then there is none after a reload.
    forgetLists();
  }
}

/** The list of a site, or the newest one of the environment. */
export function keptList(environment: Environment, siteId: string | null, now: number): KeptList | undefined {
  const young = youngOf(readLists(), now);
  localStorage.setItem(HERE_LISTS, JSON.stringify(young));
  if (siteId !== null) return young[keyOf(environment, siteId)];
  const own = Object.entries(young).filter(([key]) => key.startsWith(`${environment} `));
  return own.map(([, list]) => list).sort((left, right) => right.keptAt - left.keptAt)[0];
}
