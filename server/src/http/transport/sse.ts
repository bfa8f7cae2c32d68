import type { Writable } from 'node:stream';
import type { Timers } from '../../base/clock.js';

/** Proxies end what is silent for a minute. */
const HEARTBEAT_MS = 15_000;

/** The last that a stream says when its node ends. Comment and `retry` are no event; `EventSource` acts on the latter by itself. */
const FAREWELL = ': this node is closing, connect again\nretry: 1000\n\n';

/** One event on the wire; `id` comes back in Last-Event-ID. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/**
 * What a handler answers for a reply of `text/event-stream`. `events` is asked for the next event when the one before was
 * taken, and ends soon after the signal; `left` is called once, however the stream ends, even when it never began.
 */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
  readonly left: () => void;

  constructor(events: EventStream['events'], left: () => void) {
    this.events = events;
    this.left = left;
  }
}

/** The streams that this node holds open: counted by owner, ended together. */
export interface OpenStreams {
  /** Takes one of the owner's places; undefined when it has none left, else how to give it back. */
  enter(owner: string, limit: number): (() => void) | undefined;
  /** Writes the stream to `out` until either ends. Rejects with what its source threw. */
  run(stream: EventStream, out: Writable): Promise<void>;
  /** Ends all of them, in order, each with a word that says why; none begins after. */
  close(): Promise<void>;
  /** Places taken. */
  readonly size: number;
}

export function createStreams(timers: Timers): OpenStreams {
  const places = new Map<string, number>();
  const running = new Set<{ stop: () => void; ended: Promise<void> }>();
  let closed = false;
  return {
    enter(owner, limit) {
      const taken = places.get(owner) ?? 0;
      if (taken >= limit) return undefined;
      places.set(owner, taken + 1);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        const left = (places.get(owner) as number) - 1;
        if (left > 0) places.set(owner, left);
        else places.delete(owner);
      };
    },
    async run(stream, out) {
      const abort = new AbortController();
      const stop = () => {
        if (!out.destroyed) out.write(FAREWELL);
        abort.abort();
      };
      if (closed) stop();
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
      closed = true;
      for (const { stop } of running) stop();
      await Promise.all([...running].map(({ ended }) => ended));
    },
    get size() {
      return [...places.values()].reduce((sum, taken) => sum + taken, 0);
    },
  };
}

/** JSON has no line breaks outside of strings, and escapes them inside. */
const format = ({ id, event, data }: ServerEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * At most one event waits in memory beyond the socket's own buffer: the next is asked for once that has drained. Who has
 * not taken it from one heartbeat to the next is dropped.
 */
async function writeEvents(
  { events, left }: EventStream,
  out: Writable,
  abort: AbortController,
  timers: Timers,
): Promise<void> {
  const { signal } = abort;
  const stop = () => abort.abort();
  out.once('close', stop).on('error', stop);
  if (out.destroyed) stop();
  let stuck = false;
  let stopBeating = () => {};
  const beat = () => {
    if (stuck && out.writableNeedDrain) return void out.destroy();
    stuck = out.writableNeedDrain;
    if (!stuck) out.write(': keep-alive\n\n');
    stopBeating = timers.after(HEARTBEAT_MS, beat);
  };
  stopBeating = timers.after(HEARTBEAT_MS, beat);
  try {
    for await (const event of events(signal)) {
      if (!signal.aborted && !out.write(format(event))) await drained(out, signal);
      if (signal.aborted) break;
    }
    out.end();
  } catch (error) {
    // Broken off, so that half a stream does not look like a whole one.
    out.destroy();
    throw error;
  } finally {
    stopBeating();
    out.off('close', stop);
    left();
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

/** What a stream waits on between events: remembers that it was rung while nobody listened. */
export interface Bell {
  ring(): void;
  /** Resolves once it was rung since the last time; at the latest after `ms`, or when the signal is given. */
  heard(ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(timers: Timers): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard(ms, signal) {
      if (!rung && !signal.aborted) {
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
      rung = false;
    },
  };
}
