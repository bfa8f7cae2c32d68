import type { Timers } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Redis } from './redis.js';

/** How often the database is asked about records that somebody waits for. */
const POLL_MS = 1_000;

/**
 * Tells whoever waits for a record, on every node, that it may have changed. A message is a topic and an id and nothing
 * else: who hears it reads the record, under its own scope, and so no secret ever travels here. Delivery is at most
 * once and may be spurious. Other nodes are reached by Redis; what is lost there, or where there is none, is found in the
 * database within a second.
 */
export interface Bus {
  /** Notifies this node's subscribers, and sends the message to the other nodes. */
  publish(topic: string, id: string): void;
  /** Calls `heard` after each message about that record, never within `publish`. Answers how to stop. */
  subscribe(topic: string, id: string, heard: () => void): () => void;
  /** Subscriptions now. */
  readonly size: number;
}

/** The present state of those records that still exist, as text that differs when the record does. */
export type States = (ids: string[]) => Promise<ReadonlyMap<string, string>>;

interface BusOptions {
  readonly timers: Timers;
  readonly log: Log;
  /** Topics whose records another process may change: asked once a second while they have subscribers, and when messages were missed. */
  readonly states?: Readonly<Record<string, States>>;
  /** Carries messages between nodes. */
  readonly redis?: Pick<Redis, 'publish' | 'listen'> | undefined;
}

/** Tells the nodes of one change, from a process that serves nobody. */
export const publishTo = (redis: Pick<Redis, 'publish'>, topic: string, id: string): void =>
  redis.publish(`${topic} ${id}`);

interface Channel {
  readonly listeners: Set<() => void>;
  /** The state that listeners were last told of; undefined until it was asked for the first time. */
  state?: string;
}

export function createBus({ timers, log, states = {}, redis }: BusOptions): Bus {
  const topics = new Map<string, Map<string, Channel>>();
  let size = 0;
  let cancelPoll: (() => void) | undefined;
  let polling = false;
  let pollAgain = false;

  const tell = (channel: Channel | undefined) => {
    for (const heard of channel?.listeners ?? [])
      queueMicrotask(() => channel?.listeners.has(heard) && heard());
  };

  /** At first sight everybody is told: the record may have changed since they read it. */
  async function pollTopic(topic: string, read: States): Promise<void> {
    const channels = topics.get(topic);
    if (channels === undefined) return;
    const found = await read([...channels.keys()]);
    for (const [id, channel] of channels) {
      const state = found.get(id) ?? 'gone';
      if (channel.state !== state) tell(channel);
      channel.state = state;
    }
  }

  async function poll(): Promise<void> {
    cancelPoll?.();
    cancelPoll = undefined;
    polling = true;
    do {
      pollAgain = false;
      const reads = Object.entries(states).map(([topic, read]) => pollTopic(topic, read));
      for (const result of await Promise.allSettled(reads))
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'changes are found later');
    } while (pollAgain);
    polling = false;
    schedule();
  }

  function schedule(): void {
    const wanted = Object.keys(states).some((topic) => topics.has(topic));
    if (!wanted) {
      cancelPoll?.();
      cancelPoll = undefined;
    } else if (!polling) cancelPoll ??= timers.after(POLL_MS, () => void poll());
  }

  const spread = (topic: string, id: string) => tell(topics.get(topic)?.get(id));
  redis?.listen({
    heard(message) {
      const [topic = '', id = ''] = message.split(' ');
      spread(topic, id);
    },
    // One look for all who wait: told to look for themselves, they would all ask the database at the same time.
    missed() {
      pollAgain = true;
      if (!polling) void poll();
    },
  });

  return {
    publish(topic, id) {
      spread(topic, id);
      if (redis) publishTo(redis, topic, id);
    },
    subscribe(topic, id, heard) {
      const channels = topics.get(topic) ?? new Map<string, Channel>();
      topics.set(topic, channels);
      const channel = channels.get(id) ?? { listeners: new Set() };
      channels.set(id, channel);
      // A listener of its own, so that one function may wait twice.
      const listener = () => heard();
      channel.listeners.add(listener);
      size += 1;
      schedule();
      return () => {
        if (!channel.listeners.delete(listener)) return;
        size -= 1;
        if (channel.listeners.size === 0) channels.delete(id);
        if (channels.size === 0) topics.delete(topic);
        schedule();
      };
    },
    get size() {
      return size;
    },
  };
}
