import type { Clock } from '../../base/clock.js';
import type { Bus } from '../../cluster/bus.js';

/** What a message that was lost costs: nothing is believed for longer. */
const OLDEST_MS = 1_000;
const MOST_ENTRIES = 10_000;

interface Cached {
  /** Ids of all that it was read from. */
  readonly of: readonly string[];
}

export interface KeyCache<V> {
  get(hash: string): V | undefined;
  /** Reads with `read` and keeps what it finds, unless anything was said to have changed meanwhile. */
  fill(hash: string, read: () => Promise<V | undefined>): Promise<V | undefined>;
}

/**
 * What was read of a key, for as long as every change of it would be heard here: on the embedded database, and with a
 * subscription that is known to work. Where it is not, nothing is kept and nothing that was kept is used. What is unknown
 * is not kept either, so a fresh key works at once.
 */
export function createKeyCache<V extends Cached>({ bus, clock }: { bus: Bus; clock: Clock }): KeyCache<V> {
  const entries = new Map<string, { readonly value: V; readonly readAt: number }>();
  let changes = 0;
  for (const topic of ['api_key', 'tenant'])
    bus.watch(topic, (id) => {
      changes += 1;
      if (id === undefined) return entries.clear();
      for (const [hash, { value }] of entries) if (value.of.includes(id)) entries.delete(hash);
    });
  return {
    get(hash) {
      const entry = entries.get(hash);
      if (entry === undefined) return undefined;
      const isFresh = clock.now() - entry.readAt < OLDEST_MS;
      if (isFresh && bus.hearsAll) return entry.value;
      entries.delete(hash);
      return undefined;
    },
    async fill(hash, read) {
      // A change that is told of while the database is read may be missing in what it answers.
      const seen = changes;
      const readAt = clock.now();
      const hearsSince = bus.hearsAll;
      const value = await read();
      if (value === undefined || !hearsSince || seen !== changes) return value;
      entries.set(hash, { value, readAt });
      if (entries.size > MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
      return value;
    },
  };
}
