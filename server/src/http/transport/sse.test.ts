import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Timers } from '../../base/clock.js';
import { createChangeSignal, createStreams, EventStream, type ServerEvent } from './sse.js';

function manualTimers() {
  let now = 0;
  const waiting = new Set<{ at: number; run: () => void }>();
  const timers: Timers = {
    after(ms, run) {
      const timer = { at: now + ms, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
  };
  return {
    timers,
    waiting,
    advance(ms: number) {
      now += ms;
      for (const timer of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(timer);
        timer.run();
      }
    },
  };
}

const event = (id: number, data: object): ServerEvent => ({ id: String(id), event: 'e', data });

/** Serves this source as a stream to every client. */
async function serve(
  streams: ReturnType<typeof createStreams>,
  events: EventStream['events'],
  onEnd: () => void,
) {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void streams.run(new EventStream(events, onEnd), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dial = async () => {
    const socket: Socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };
  return { server, dial };
}

describe('an event stream', () => {
  it('drops a client that reads nothing between two heartbeats, and buffers little for it', async () => {
    const { timers, waiting, advance } = manualTimers();
    const streams = createStreams(timers);
    const text = 'x'.repeat(64 * 1024);
    let made = 0;
    const onEnd = vi.fn();
    async function* endless() {
      for (;;) yield event(++made, { text });
    }
    const { server, dial } = await serve(streams, endless, onEnd);
    const socket = await dial();
    socket.pause();
    // The socket's own buffers fill. Then no further events are requested from the source.
    let before = -1;
    await vi.waitFor(
      () => {
        const still = made > 0 && made === before;
        before = made;
        expect(still).toBe(true);
      },
      { interval: 100 },
    );
    const [count] = [made];
    expect(count * text.length).toBeLessThan(32 * 1024 * 1024);
    advance(15_000);
    expect(onEnd).not.toHaveBeenCalled();
    advance(15_000);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
    expect(made).toBe(count);
    expect(waiting.size).toBe(0);
    socket.destroy();
    server.close();
  });

  it('continues for a client that was slow and reads again', async () => {
    const { timers, advance } = manualTimers();
    const out = new PassThrough({ highWaterMark: 8 });
    const streams = createStreams(timers);
    async function* three() {
      for (let id = 1; id <= 3; id += 1) yield event(id, { id });
    }
    const running = streams.run(new EventStream(three, () => {}), out);
    await new Promise((resolve) => setImmediate(resolve));
    advance(15_000);
    let text = '';
    out.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await running;
    await once(out, 'end');
    expect(text).toBe([1, 2, 3].map((id) => `id: ${id}\nevent: e\ndata: {"id":${id}}\n\n`).join(''));
  });

  it('notifies its source immediately when the client disconnects, also while the source waits', async () => {
    const { timers, waiting } = manualTimers();
    const streams = createStreams(timers);
    const onEnd = vi.fn();
    const changes = createChangeSignal(timers);
    async function* waits(signal: AbortSignal) {
      yield event(1, {});
      await changes.wait(60_000, signal);
      expect(signal.aborted).toBe(true);
    }
    const { server, dial } = await serve(streams, waits, onEnd);
    const socket = await dial();
    await once(socket, 'data');
    expect(waiting.size).toBe(2);
    socket.destroy();
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
    expect(waiting.size).toBe(0);
    server.close();
  });

  it('escapes data so that it cannot leave its line', async () => {
    const out = new PassThrough();
    async function* hostile() {
      yield event(1, { text: 'a\n\ndata: b\r\nid: 9\u2028' });
    }
    await createStreams(manualTimers().timers).run(new EventStream(hostile, () => {}), out);
    expect(String(out.read()).trimEnd().split(/\r|\n/)).toHaveLength(3);
  });

  it('that begins after the close ends immediately', async () => {
    const streams = createStreams(manualTimers().timers);
    await streams.close();
    const out = new PassThrough();
    const onEnd = vi.fn();
    async function* source(signal: AbortSignal) {
      if (!signal.aborted) yield event(1, {});
    }
    await streams.run(new EventStream(source, onEnd), out);
    expect([out.writableEnded, onEnd.mock.calls.length]).toEqual([true, 1]);
  });

  it('that its node ends sends a comment after its last complete event', async () => {
    const streams = createStreams(manualTimers().timers);
    const changes = createChangeSignal(manualTimers().timers);
    const out = new PassThrough();
    async function* source(signal: AbortSignal) {
      yield event(1, {});
      await changes.wait(60_000, signal);
    }
    const running = streams.run(new EventStream(source, () => {}), out);
    await once(out, 'readable');
    await streams.close();
    await running;
    expect(String(out.read())).toBe(
      'id: 1\nevent: e\ndata: {}\n\n: this node is closing, connect again\nretry: 1000\n\n',
    );
  });
});

describe('a slot', () => {
  it('counts against the limit of its owner, and is released once', () => {
    const streams = createStreams(manualTimers().timers);
    const [first, second] = [streams.reserve(['a', 2]), streams.reserve(['a', 2])];
    expect(streams.reserve(['a', 2])).toBeUndefined();
    expect(streams.reserve(['b', 2])).toBeDefined();
    first?.();
    first?.();
    expect(streams.size).toBe(2);
    expect(streams.reserve(['a', 2])).toBeDefined();
    expect(streams.reserve(['a', 2])).toBeUndefined();
    second?.();
  });

  it('is taken of each owner, or of none', () => {
    const streams = createStreams(manualTimers().timers);
    const leave = streams.reserve(['a', 1], ['b', 2]);
    expect(streams.size).toBe(1);
    expect(streams.reserve(['b', 2], ['a', 1])).toBeUndefined();
    expect(streams.reserve(['b', 2])).toBeDefined();
    leave?.();
    expect(streams.reserve(['a', 1], ['b', 2])).toBeDefined();
    expect(streams.size).toBe(2);
  });
});

describe('a signal', () => {
  it('wakes a later waiter, and only once', async () => {
    const { timers, waiting, advance } = manualTimers();
    const changes = createChangeSignal(timers);
    const { signal } = new AbortController();
    changes.set();
    changes.set();
    await changes.wait(1_000, signal);
    let resolved = false;
    const next = changes.wait(1_000, signal).then(() => {
      resolved = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([resolved, waiting.size]).toEqual([false, 1]);
    advance(1_000);
    await next;
    expect(waiting.size).toBe(0);
  });
});
