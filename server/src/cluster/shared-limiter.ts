import type { Clock } from '../base/clock.js';
import { createLimiter, type Hit, type Limiter, type WindowState } from './rate-limit.js';
import { type Redis, script } from './redis.js';

/**
 * Per key a list of the times of what was counted, oldest first: ten bytes each, at most `limit` of them, and gone once
 * the last has left. A clock that steps back counts at the newest time, so that the list stays in order. What is no list
 * is not ours and goes. Answers four numbers a key: allowed, counted, the oldest time, and the time whose leaving makes room.
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

/** What one script call may take on; the rest follows in the next. */
const MOST_AT_ONCE = 256;

interface Question {
  readonly act: 'hit' | 'peek' | 'refund';
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly resolve: (state: WindowState | undefined) => void;
}

interface Options {
  readonly redis: Redis;
  readonly clock: Clock;
  /** The key in Redis, for what may stand there. */
  readonly name: (key: string) => string;
}

/**
 * The windows of all nodes together. One question to Redis runs at a time and whatever comes meanwhile is in the next,
 * so that a busy node asks once a round trip and not once a request. The time is the shared clock's. While Redis is lost
 * this node counts alone, with the same numbers; what it counted then stays its own.
 */
export function createSharedLimiter({ redis, clock, name }: Options): Limiter {
  const alone = createLimiter(clock);
  let waiting: Question[] = [];
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      const states = await askRedis(batch);
      for (const [at, { resolve }] of batch.entries()) resolve(states?.[at]);
    }
    isAsking = false;
  }

  async function askRedis(batch: readonly Question[]): Promise<WindowState[] | undefined> {
    const now = clock.now();
    try {
      const reply = await redis.run(
        WINDOWS,
        batch.map(({ key }) => name(key)),
        [String(now), ...batch.flatMap(({ act, limit, windowMs }) => [act, String(limit), String(windowMs)])],
      );
      return batch.map((question, at) =>
        toState(question, now, (reply as number[]).slice(4 * at, 4 * at + 4)),
      );
    } catch {
      // The port tells of it, once.
      return undefined;
    }
  }

  /** Undefined: Redis is lost. */
  async function ask(act: Question['act'], key: string, limit: number, windowMs: number) {
    if (!redis.isUp) return undefined;
    return new Promise<WindowState | undefined>((resolve) => {
      waiting.push({ act, key, limit, windowMs, resolve });
      if (!isAsking) void askAll();
    });
  }

  return {
    async hit(key, limit, windowMs): Promise<Hit> {
      const state = await ask('hit', key, limit, windowMs);
      if (state === undefined) return alone.hit(key, limit, windowMs);
      return {
        ...state,
        async refund() {
          const act = state.allowed ? 'refund' : 'peek';
          return (await ask(act, key, limit, windowMs)) ?? alone.peek(key, limit, windowMs);
        },
      };
    },
    peek: async (key, limit, windowMs) =>
      (await ask('peek', key, limit, windowMs)) ?? alone.peek(key, limit, windowMs),
    size: () => alone.size(),
  };
}

function toState({ limit, windowMs }: Question, now: number, numbers: readonly number[]): WindowState {
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
