import type { Writable } from 'node:stream';
import type { Timers } from '../../base/clock.js';

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;

/** Sent last when the node closes the stream. A comment and `retry` are not an event, and `EventSource` obeys `retry` by itself. */
const CLOSING_MESSAGE = ': this node is closing, connect again\nretry: 1000\n\n';

/** One event on the wire. Clients send `id` back in Last-Event-ID. An event without one can't be resumed after. */
export interface ServerEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: object;
}

/** Where a client that is cut off before the first event resumes. It is no event for the client. */
export interface StartPosition {
  readonly id: string;
}

/**
 * The result of a handler of `text/event-stream`. The next event is requested from `events` when the previous one has been
 * sent, and `events` ends soon after the signal. `onEnd` is called once, however the stream ends, even if it never began.
 */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent | StartPosition>;
  readonly onEnd: () => void;

  constructor(events: EventStream['events'], onEnd: () => void) {
    this.events = events;
    this.onEnd = onEnd;
  }
}

/** One of the slots that an owner has. */
export type Place = readonly [owner: string, limit: number];

/** The open streams of this node: counted by owner, closed together. */
export interface OpenStreams {
  /** Reserves a slot of each owner, all for one stream. Returns undefined if an owner has none left, otherwise a function that releases them. */
  reserve(...places: readonly Place[]): (() => void) | undefined;
  /** Writes the stream to `out` until either ends. Rejects if its source throws. */
  run(stream: EventStream, out: Writable): Promise<void>;
  /** Closes all of them, in order, each with a final comment. No stream begins afterwards. */
  close(): Promise<void>;
  /** Aborted when they are closed. For requests that wait without a stream. */
  readonly closing: AbortSignal;
  /** Streams that have their slots. */
  readonly size: number;
}

export function createStreams(timers: Timers): OpenStreams {
  const slots = new Map<string, number>();
  let size = 0;
  const running = new Set<{ stop: () => void; ended: Promise<void> }>();
  const closing = new AbortController();
  return {
    closing: closing.signal,
    reserve(...places) {
      const taken = (owner: string) => slots.get(owner) ?? 0;
      if (places.some(([owner, limit]) => taken(owner) >= limit)) return undefined;
      for (const [owner] of places) slots.set(owner, taken(owner) + 1);
      size += 1;
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        size -= 1;
        for (const [owner] of places) {
          if (taken(owner) > 1) slots.set(owner, taken(owner) - 1);
          else slots.delete(owner);
        }
      };
    },
    async run(stream, out) {
      const abort = new AbortController();
      const stop = () => {
        if (!out.destroyed) out.write(CLOSING_MESSAGE);
        abort.abort();
      };
      if (closing.signal.aborted) stop();
      const ended = writeEvents(stream, out, abort, timers);
      const entry = { stop, ended: ended.catch(() => {}) };
      running.add(entry);
      try {
        await ended;
      } finally {
        running.delete(entry);
      }
    },
    async close() {
      closing.abort();
      for (const { stop } of running) stop();
      await Promise.all([...running].map(({ ended }) => ended));
    },
    get size() {
      return size;
    },
  };
}

/** JSON has no line breaks outside of strings, and escapes them inside. */
const format = (sent: ServerEvent | StartPosition) => {
  const id = sent.id === undefined ? '' : `id: ${sent.id}\n`;
  return 'event' in sent ? `${id}event: ${sent.event}\ndata: ${JSON.stringify(sent.data)}\n\n` : `${id}\n`;
};

/**
 * At most one event waits in memory besides the socket's own buffer. The next is requested once that has drained. A client
 * that has not read it from one heartbeat to the next is dropped.
 */
async function writeEvents(
  { events, onEnd }: EventStream,
  out: Writable,
  abort: AbortController,
  timers: Timers,
): Promise<void> {
  const { signal } = abort;
  const stop = () => abort.abort();
  out.once('close', stop).on('error', stop);
  if (out.destroyed) stop();
  let isStalled = false;
  let cancelHeartbeat = () => {};
  const sendHeartbeat = () => {
    if (isStalled && out.writableNeedDrain) return void out.destroy();
    isStalled = out.writableNeedDrain;
    if (!isStalled) out.write(': keep-alive\n\n');
    cancelHeartbeat = timers.after(HEARTBEAT_MS, sendHeartbeat);
  };
  cancelHeartbeat = timers.after(HEARTBEAT_MS, sendHeartbeat);
  try {
    for await (const event of events(signal)) {
      if (!signal.aborted && !out.write(format(event))) await drained(out, signal);
      if (signal.aborted) break;
    }
    out.end();
  } catch (error) {
    // Abort the connection, so that a partial stream does not look complete.
    out.destroy();
    throw error;
  } finally {
    cancelHeartbeat();
    out.off('close', stop);
    onEnd();
  }
}

function drained(out: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    out.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

/** A signal that a stream waits for between events. It remembers being set while nothing was waiting. */
export interface ChangeSignal {
  set(): void;
  /** Resolves once it was set since the last time, after `ms` at the latest, or when the abort signal fires. True if it was set. */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
}

export function createChangeSignal(timers: Timers): ChangeSignal {
  let isSet = false;
  let wake = () => {};
  return {
    set() {
      isSet = true;
      wake();
    },
    async wait(ms, signal) {
      if (!isSet && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = () => {
            cancel();
            signal.removeEventListener('abort', done);
            wake = () => {};
            resolve();
          };
          const cancel = timers.after(ms, done);
          signal.addEventListener('abort', done, { once: true });
          wake = done;
        });
      }
      const wasSet = isSet;
      isSet = false;
      return wasSet;
    },
  };
}
