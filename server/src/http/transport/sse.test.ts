import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Timers } from '../../base/clock.js';
import { createBell, createStreams, EventStream, type ServerEvent } from './sse.js';

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

/** Streams from this source to whoever connects. */
async function serve(
  streams: ReturnType<typeof createStreams>,
  events: EventStream['events'],
  left: () => void,
) {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void streams.run(new EventStream(events, left), response);
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
  it('drops a reader who takes nothing from one heartbeat to the next, and holds little for him', async () => {
    const { timers, waiting, advance } = manualTimers();
    const streams = createStreams(timers);
    const text = 'x'.repeat(64 * 1024);
    let made = 0;
    const left = vi.fn();
    async function* endless() {
      for (;;) yield event(++made, { text });
    }
    const { server, dial } = await serve(streams, endless, left);
    const socket = await dial();
    socket.pause();
    // The socket's own buffers fill; then the source is asked for nothing more.
    let before = -1;
    await vi.waitFor(
      () => {
        const still = made > 0 && made === before;
        before = made;
        expect(still).toBe(true);
      },
      { interval: 100, timeout: 10_000 },
    );
    const [count] = [made];
    expect(count * text.length).toBeLessThan(32 * 1024 * 1024);
    advance(15_000);
    expect(left).not.toHaveBeenCalled();
    advance(15_000);
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
    expect(made).toBe(count);
    expect(waiting.size).toBe(0);
    socket.destroy();
    server.close();
  });

  it('goes on for a reader who was slow and reads again', async () => {
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

  it('tells its source at once when the client is gone, also one that waits', async () => {
    const { timers, waiting } = manualTimers();
    const streams = createStreams(timers);
    const left = vi.fn();
    const bell = createBell(timers);
    async function* waits(signal: AbortSignal) {
      yield event(1, {});
      await bell.heard(60_000, signal);
      expect(signal.aborted).toBe(true);
    }
    const { server, dial } = await serve(streams, waits, left);
    const socket = await dial();
    await once(socket, 'data');
    expect(waiting.size).toBe(2);
    socket.destroy();
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce());
    expect(waiting.size).toBe(0);
    server.close();
  });

  it('writes data that cannot break out of its line', async () => {
    const out = new PassThrough();
    async function* hostile() {
      yield event(1, { text: 'a\n\ndata: b\r\nid: 9\u2028' });
    }
    await createStreams(manualTimers().timers).run(new EventStream(hostile, () => {}), out);
    expect(String(out.read()).trimEnd().split(/\r|\n/)).toHaveLength(3);
  });

  it('that begins after the close ends at once', async () => {
    const streams = createStreams(manualTimers().timers);
    await streams.close();
    const out = new PassThrough();
    const left = vi.fn();
    async function* source(signal: AbortSignal) {
      if (!signal.aborted) yield event(1, {});
    }
    await streams.run(new EventStream(source, left), out);
    expect([out.writableEnded, left.mock.calls.length]).toEqual([true, 1]);
  });

  it('that its node ends says so behind its last whole event, in words that are no event', async () => {
    const streams = createStreams(manualTimers().timers);
    const bell = createBell(manualTimers().timers);
    const out = new PassThrough();
    async function* source(signal: AbortSignal) {
      yield event(1, {});
      await bell.heard(60_000, signal);
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

describe('a place', () => {
  it('is one of the owner’s, and given back once', () => {
    const streams = createStreams(manualTimers().timers);
    const [first, second] = [streams.enter('a', 2), streams.enter('a', 2)];
    expect(streams.enter('a', 2)).toBeUndefined();
    expect(streams.enter('b', 2)).toBeDefined();
    first?.();
    first?.();
    expect(streams.size).toBe(2);
    expect(streams.enter('a', 2)).toBeDefined();
    expect(streams.enter('a', 2)).toBeUndefined();
    second?.();
  });
});

describe('a bell', () => {
  it('is heard when it was rung before, and once', async () => {
    const { timers, waiting, advance } = manualTimers();
    const bell = createBell(timers);
    const { signal } = new AbortController();
    bell.ring();
    bell.ring();
    await bell.heard(1_000, signal);
    let heard = false;
    const next = bell.heard(1_000, signal).then(() => {
      heard = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([heard, waiting.size]).toEqual([false, 1]);
    advance(1_000);
    await next;
    expect(waiting.size).toBe(0);
  });
});
