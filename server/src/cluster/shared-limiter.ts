import type { Clock } from '../base/clock.js';
import { createLimiter, type Hit, type Limiter, type WindowState } from './rate-limit.js';
import { type Redis, script } from './redis.js';

/**
 * Each key is a list of the times of counted requests, oldest first: ten bytes each, at most `limit` of them, expiring when
 * the last has left the window. If the clock steps back, a request counts at the newest time, so that the list stays in
 * order. A key that is not a list is not ours and is deleted. The script returns four numbers for each key: allowed,
 * counted, the oldest time, and the time at which there is room again.
 */
const WINDOWS = script(`
  local now = tonumber(ARGV[1])
  local reply = {}
  for at, key in ipairs(KEYS) do
    local act, limit, window = ARGV[3 * at - 1], tonumber(ARGV[3 * at]), tonumber(ARGV[3 * at + 1])
    local function time(index)
      local text = redis.call('lindex', key, index)
      return text and (tonumber(text) or 0)
    end
    local function left(index)
      local counted_at = time(index)
      return counted_at and counted_at <= now - window
    end
    local first = redis.pcall('lindex', key, 0)
    if type(first) == 'table' then
      redis.call('del', key)
      first = false
    end
    local oldest = first and (tonumber(first) or 0)
    if oldest and oldest <= now - window then
      local low, high = 1, 1
      while left(high) do low, high = high + 1, high * 2 end
      while low < high do
        local middle = math.floor((low + high) / 2)
        if left(middle) then low = middle + 1 else high = middle end
      end
      redis.call('lpop', key, low)
      oldest = time(0)
    end
    if act == 'refund' then
      redis.call('rpop', key)
      oldest = time(0)
    end
    local counted = redis.call('llen', key)
    local allowed = counted < limit
    if act == 'hit' and allowed then
      local newest = math.max(now, time(-1) or 0)
      counted = redis.call('rpush', key, string.format('%.0f', newest))
      redis.call('pexpire', key, window + 60000)
      oldest = oldest or newest
    end
    local blocker = 0
    if counted == limit then blocker = oldest or 0 elseif counted > limit then blocker = time(counted - limit) end
    local base = 4 * at - 3
    reply[base], reply[base + 1], reply[base + 2], reply[base + 3] = allowed and 1 or 0, counted, oldest or 0, blocker
  end
  return reply`);

/** Requests in one script call. The others are sent in the next. */
const MAX_BATCH_SIZE = 256;

interface PendingCall {
  readonly act: 'hit' | 'peek' | 'refund';
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly resolve: (state: WindowState | undefined) => void;
}

interface Options {
  readonly redis: Redis;
  readonly clock: Clock;
  /** Maps a key to its name in Redis, which must not contain personal data. */
  readonly name: (key: string) => string;
}

/**
 * Windows shared by all nodes. One script call runs at a time, and requests that arrive while it runs share the next, so a
 * busy node calls Redis once per round trip and not once per request. The time is the shared clock's. While Redis is lost,
 * this node counts alone with the same limits, and what it counted then is not transferred.
 */
export function createSharedLimiter({ redis, clock, name }: Options): Limiter {
  const local = createLimiter(clock);
  let waiting: PendingCall[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH_SIZE);
      waiting = waiting.slice(MAX_BATCH_SIZE);
      const states = await send(batch);
      for (const [at, { resolve }] of batch.entries()) resolve(states?.[at]);
    }
    isSending = false;
  }

  async function send(batch: readonly PendingCall[]): Promise<WindowState[] | undefined> {
    const now = clock.now();
    try {
      const reply = await redis.run(
        WINDOWS,
        batch.map(({ key }) => name(key)),
        [String(now), ...batch.flatMap(({ act, limit, windowMs }) => [act, String(limit), String(windowMs)])],
      );
      return batch.map((call, at) => toState(call, now, (reply as number[]).slice(4 * at, 4 * at + 4)));
    } catch {
      // The Redis connection logs it, once.
      return undefined;
    }
  }

  /** Returns undefined while Redis is lost. */
  async function enqueue(act: PendingCall['act'], key: string, limit: number, windowMs: number) {
    if (!redis.isUp) return undefined;
    return new Promise<WindowState | undefined>((resolve) => {
      waiting.push({ act, key, limit, windowMs, resolve });
      if (!isSending) void sendAll();
    });
  }

  return {
    async hit(key, limit, windowMs): Promise<Hit> {
      const state = await enqueue('hit', key, limit, windowMs);
      if (state === undefined) return local.hit(key, limit, windowMs);
      return {
        ...state,
        async refund() {
          const act = state.allowed ? 'refund' : 'peek';
          return (await enqueue(act, key, limit, windowMs)) ?? local.peek(key, limit, windowMs);
        },
      };
    },
    peek: async (key, limit, windowMs) =>
      (await enqueue('peek', key, limit, windowMs)) ?? local.peek(key, limit, windowMs),
    size: () => local.size(),
  };
}

function toState({ limit, windowMs }: PendingCall, now: number, numbers: readonly number[]): WindowState {
  const [allowed, counted, oldest, blocker] = numbers as [number, number, number, number];
  const remaining = Math.max(0, limit - counted);
  return {
    allowed: allowed === 1,
    limit,
    remaining,
    resetAt: counted === 0 ? now : oldest + windowMs,
    retryAt: remaining > 0 ? now : blocker + windowMs,
  };
}
