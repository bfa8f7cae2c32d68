import type { Clock } from '../base/clock.js';

export interface WindowState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest counted request leaves the window, in Unix milliseconds. The current time if nothing is counted. */
  readonly resetAt: number;
  /** When a request would be allowed again, in Unix milliseconds. */
  readonly retryAt: number;
}

/** The result of one request, which was counted if it was allowed. */
export interface Hit extends WindowState {
  /** Reverts the count, soon after the hit, in the limiter that counted it. Returns the window afterwards. */
  refund(): Awaitable<WindowState>;
}

type Awaitable<T> = T | Promise<T>;

export interface Limiter {
  /** Counts one request against `key` if the window has room for it. */
  hit(key: string, limit: number, windowMs: number): Awaitable<Hit>;
  /** Reads the window without counting. */
  peek(key: string, limit: number, windowMs: number): Awaitable<WindowState>;
  /** The number of keys in this process, and how many of them are at their limit. */
  size(): { readonly keys: number; readonly blocked: number };
}

/** A limiter of this process, which answers synchronously. */
export interface LocalLimiter extends Limiter {
  hit(key: string, limit: number, windowMs: number): Hit;
  peek(key: string, limit: number, windowMs: number): WindowState;
}

/** A key, its limit and its window in milliseconds. */
export type Window = readonly [key: string, limit: number, windowMs: number];

/** Counts one request in all of these windows, or in none if one of them is full. Returns the window that decided. */
export async function hitAll(
  limiter: Limiter,
  ...windows: readonly [Window, ...Window[]]
): Promise<WindowState & { refund(): Promise<void> }> {
  const hits: Hit[] = [];
  const refund = async () => {
    await Promise.all(hits.map((hit) => hit.refund()));
  };
  let last: Hit | undefined;
  for (const window of windows) {
    last = await limiter.hit(...window);
    if (!last.allowed) {
      await refund();
      break;
    }
    hits.push(last);
  }
  return { ...(last as Hit), refund };
}

/** Requests counted in one millisecond. */
interface Tick {
  readonly at: number;
  count: number;
}

class SlidingLog {
  #ticks: Tick[] = [];
  #first = 0;
  total = 0;

  /** Removes the requests that have left the window. */
  expire(before: number): void {
    while (this.#first < this.#ticks.length && (this.#ticks[this.#first] as Tick).at <= before) {
      this.total -= (this.#ticks[this.#first] as Tick).count;
      this.#first += 1;
    }
    if (this.#first > 64 && this.#first * 2 > this.#ticks.length) {
      this.#ticks = this.#ticks.slice(this.#first);
      this.#first = 0;
    }
  }

  add(now: number): void {
    const last = this.#ticks.at(-1);
    if (last !== undefined && this.#ticks.length > this.#first && last.at >= now) last.count += 1;
    else this.#ticks.push({ at: now, count: 1 });
    this.total += 1;
  }

  /** Removes the newest request. A refund follows its hit within moments, so this is exact enough. */
  remove(): void {
    const last = this.#ticks.at(-1);
    if (last === undefined || this.total === 0) return;
    last.count -= 1;
    this.total -= 1;
    if (last.count === 0) this.#ticks.pop();
  }

  /** When there will be room under that limit: the time of the oldest request, or a later one if the limit was lowered. */
  blocker(limit: number): number | undefined {
    let left = this.total;
    for (let index = this.#first; index < this.#ticks.length; index += 1) {
      const { at, count } = this.#ticks[index] as Tick;
      left -= count;
      if (left < limit) return at;
    }
    return undefined;
  }

  get oldest(): number | undefined {
    return this.#ticks[this.#first]?.at;
  }
}

/**
 * Sliding windows. Each counts the requests of the last `windowMs`, to the millisecond. Memory is bounded by `capacity`
 * keys: the least recently used is evicted first. Keys at their limit are stored apart, so a flood of new keys cannot
 * evict a blocked one.
 */
export function createLimiter(clock: Clock, capacity = 100_000): LocalLimiter {
  const open = new Map<string, SlidingLog>();
  const blocked = new Map<string, SlidingLog>();

  const store = (map: Map<string, SlidingLog>, key: string, log: SlidingLog) => {
    map.delete(key);
    map.set(key, log);
    if (map.size > capacity) map.delete(map.keys().next().value as string);
  };

  const state = (
    log: SlidingLog | undefined,
    limit: number,
    windowMs: number,
    allowed: boolean,
  ): WindowState => {
    const now = clock.now();
    const resetAt = log?.oldest === undefined ? now : log.oldest + windowMs;
    const remaining = Math.max(0, limit - (log?.total ?? 0));
    const blocker = remaining > 0 ? undefined : log?.blocker(limit);
    return { allowed, limit, remaining, resetAt, retryAt: blocker === undefined ? now : blocker + windowMs };
  };

  const find = (key: string, windowMs: number) => {
    const log = open.get(key) ?? blocked.get(key);
    log?.expire(clock.now() - windowMs);
    return log;
  };

  return {
    hit(key, limit, windowMs) {
      const log = find(key, windowMs) ?? new SlidingLog();
      const allowed = log.total < limit;
      if (allowed) log.add(clock.now());
      (log.total >= limit ? open : blocked).delete(key);
      store(log.total >= limit ? blocked : open, key, log);
      return {
        ...state(log, limit, windowMs, allowed),
        refund() {
          if (allowed) log.remove();
          return state(log, limit, windowMs, log.total < limit);
        },
      };
    },
    peek(key, limit, windowMs) {
      const log = find(key, windowMs);
      return state(log, limit, windowMs, (log?.total ?? 0) < limit);
    },
    size: () => ({ keys: open.size + blocked.size, blocked: blocked.size }),
  };
}
