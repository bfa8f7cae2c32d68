import type { Timers } from '../base/clock.js';
import type { Log } from '../base/telemetry/log.js';
import type { Redis } from './redis.js';

/** How often the database is queried for records that have subscribers. */
const POLL_MS = 1_000;

/**
 * Notifies subscribers of a record, on every node, that it may have changed. A message contains only a topic and an id.
 * Subscribers read the record themselves, in their own scope, so messages never carry a secret. A message is delivered at
 * most once and may be spurious. Redis carries messages to other nodes. Without Redis, or when it loses a message, nodes
 * find the change in the database within a second.
 */
export interface Bus {
  /** Notifies this node's subscribers, and sends the message to the other nodes. */
  publish(topic: string, id: string): void;
  /** Calls `onMessage` after each message about that record, never within `publish`. Returns a function that unsubscribes. */
  subscribe(topic: string, id: string, onMessage: () => void): () => void;
  /** The number of subscriptions. */
  readonly size: number;
}

/** The current state of the records that still exist, as text that differs when the record does. */
export type States = (ids: string[]) => Promise<ReadonlyMap<string, string>>;

export interface BusOptions {
  readonly timers: Timers;
  readonly log: Log;
  /** Topics whose records another process may change. Read once a second while they have subscribers, and after a reconnect. */
  readonly states?: Readonly<Record<string, States>>;
  /** Carries messages between nodes. */
  readonly redis?: Pick<Redis, 'publish' | 'listen'> | undefined;
}

/** Sends a message to all nodes from a process that has no subscribers, such as the command line. */
export const publishTo = (redis: Pick<Redis, 'publish'>, topic: string, id: string): void =>
  redis.publish(`${topic} ${id}`);

interface Channel {
  readonly listeners: Set<() => void>;
  /** The last state that listeners were notified of; undefined before the first poll. */
  state?: string;
}

export function createBus({ timers, log, states = {}, redis }: BusOptions): Bus {
  const topics = new Map<string, Map<string, Channel>>();
  let size = 0;
  let cancelPoll: (() => void) | undefined;
  let polling = false;
  let pollAgain = false;

  const notify = (channel: Channel | undefined) => {
    for (const listener of channel?.listeners ?? [])
      queueMicrotask(() => channel?.listeners.has(listener) && listener());
  };

  /** The first poll of a record notifies every listener, because the record may have changed since they read it. */
  async function pollTopic(topic: string, read: States): Promise<void> {
    const channels = topics.get(topic);
    if (channels === undefined) return;
    const found = await read([...channels.keys()]);
    for (const [id, channel] of channels) {
      const state = found.get(id) ?? 'gone';
      if (channel.state !== state) notify(channel);
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

  const dispatch = (topic: string, id: string) => notify(topics.get(topic)?.get(id));
  redis?.listen({
    onMessage(message) {
      const [topic = '', id = ''] = message.split(' ');
      dispatch(topic, id);
    },
    // One query for all subscribers. If each queried for itself, all would reach the database at the same time.
    onReconnect() {
      pollAgain = true;
      if (!polling) void poll();
    },
  });

  return {
    publish(topic, id) {
      dispatch(topic, id);
      if (redis) publishTo(redis, topic, id);
    },
    subscribe(topic, id, onMessage) {
      const channels = topics.get(topic) ?? new Map<string, Channel>();
      topics.set(topic, channels);
      const channel = channels.get(id) ?? { listeners: new Set() };
      channels.set(id, channel);
      // A new function, so that the same callback can be subscribed twice.
      const listener = () => onMessage();
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
