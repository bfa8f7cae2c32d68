import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { diverged, EVENTS } from '../../test/feed.js';
import {
  beginStream,
  chunk,
  errorBody,
  type HostileServer,
  hostileServer,
  respond,
} from '../../test/hostile-server.js';
import { manualTiming } from '../../test/timing.js';
import { type Event, EventGapError, type EventStreamOptions, Svc } from '../sdk.js';

const [FIRST, SECOND] = EVENTS as [Event, Event];
const textOf = (event: Event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

let server: HostileServer | undefined;
afterEach(() => server?.close());

type Connection = (socket: Socket) => void;
const send =
  (...pieces: string[]): Connection =>
  (socket) => {
    beginStream(socket);
    for (const piece of pieces) chunk(socket, piece);
  };
const sendAndCut =
  (...pieces: string[]): Connection =>
  (socket) => {
    send(...pieces)(socket);
    socket.end();
  };
const cut: Connection = (socket) => void socket.destroy();

async function streamOf(
  connections: readonly Connection[],
  options: EventStreamOptions = {},
  maxRetries = 2,
) {
  const timing = manualTiming();
  server = await hostileServer((socket, _, count) =>
    connections[Math.min(count, connections.length) - 1]?.(socket),
  );
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, timing, maxRetries });
  const notes: string[] = [];
  const stream = svc.events.stream({
    onLost: ({ code }) => void notes.push(code),
    onConnected: () => void notes.push('connected'),
    ...options,
  });
  const pass = async (...pauses: number[]) => {
    for (const pause of pauses) (await timing.waitsFor(pause))();
  };
  return { stream, notes, timing, pass, requests: server.requests };
}

/** The pauses after one failure, two, three: exponential, with a jitter of one half. */
const [ONE, TWO, THREE] = [125, 250, 500] as const;

describe('the stream of events', () => {
  it('begins after a position, and passes on the selected events', async () => {
    const { stream, notes, requests } = await streamOf(
      [send(textOf(FIRST), ': keep-alive\n\n', textOf(SECOND))],
      {
        after: '0.6530e464a60feaa0',
        types: ['device.*', 'user.created'],
      },
    );
    expect([(await stream.next()).value, (await stream.next()).value]).toEqual([FIRST, SECOND]);
    expect(requests[0]).toMatchObject({
      line: 'GET /v1/events/stream?after=0.6530e464a60feaa0&types=device.*%2Cuser.created',
      headers: { accept: 'text/event-stream' },
    });
    expect(requests[0]?.headers).not.toHaveProperty('last-event-id');
    expect(notes).toEqual(['connected']);
    await stream.return();
  });

  it('reconnects with Last-Event-ID for ever once it was connected', async () => {
    const connections = [sendAndCut(textOf(FIRST)), cut, cut, cut, send(textOf(SECOND))];
    const { stream, notes, pass, requests } = await streamOf(connections, {}, 0);
    expect((await stream.next()).value).toEqual(FIRST);
    const next = stream.next();
    await pass(ONE, TWO, THREE, 1_000);
    expect((await next).value).toEqual(SECOND);
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1', '1', '1']);
    const failed = Array(3).fill('connection_cut');
    expect(notes).toEqual(['connected', 'stream_cut', ...failed, 'connected']);
  });

  it('resumes after an id that came without an event, and waits as long as the server says', async () => {
    const closing = 'id: 7\n\n: this node is closing, connect again\nretry: 1000\n\n';
    const { stream, pass, requests } = await streamOf([sendAndCut(closing), send(textOf(FIRST))]);
    const next = stream.next();
    await pass(1_000);
    expect((await next).value).toEqual(FIRST);
    expect(requests[1]?.headers['last-event-id']).toBe('7');
  });

  it('reconnects when the connection has been silent for 40 seconds', async () => {
    const { stream, timing, pass, notes } = await streamOf([send(), send(textOf(FIRST))]);
    const next = stream.next();
    (await timing.waitsFor(40_000))();
    await pass(ONE);
    expect((await next).value).toEqual(FIRST);
    expect(notes).toEqual(['connected', 'stream_cut', 'connected']);
  });

  it('gives up a first connection after the retries of the client', async () => {
    const { stream, pass, requests } = await streamOf([cut]);
    const next = stream.next();
    next.catch(() => {});
    await pass(ONE, TWO);
    await expect(next).rejects.toMatchObject({ code: 'connection_cut' });
    expect(requests).toHaveLength(3);
  });

  it('rejects immediately with an error that is permanent', async () => {
    const revoked: Connection = (socket) => respond(socket, 401, errorBody('invalid_api_key'));
    const { stream, pass } = await streamOf([sendAndCut(textOf(FIRST)), revoked]);
    await stream.next();
    const next = stream.next();
    next.catch(() => {});
    await pass(ONE);
    await expect(next).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('rejects with EventGapError if its position is not in the chain any more', async () => {
    const { stream } = await streamOf([diverged], { after: `41.${'0'.repeat(16)}` });
    const error = await stream.next().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EventGapError);
    expect(error).toMatchObject({ reason: 'chain_diverged', expectedSeq: 42 });
  });

  it('rejects with the reason of an aborted signal, and closes the connection', async () => {
    const abort = new AbortController();
    let closed = () => {};
    const disconnected = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const connection: Connection = (socket) => {
      send(textOf(FIRST))(socket);
      socket.on('close', closed);
    };
    const { stream } = await streamOf([connection], { signal: abort.signal });
    await stream.next();
    const next = stream.next();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    await disconnected;
  });
});
