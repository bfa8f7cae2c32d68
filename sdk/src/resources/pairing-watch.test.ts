import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  beginStream,
  chunk,
  errorBody,
  type HostileServer,
  hostileServer,
  type RawRequest,
  respond,
} from '../../test/hostile-server.js';
import { type ManualTiming, manualTiming } from '../../test/timing.js';
import { Svc } from '../sdk.js';
import type { BoundPairing, PairingWatch } from './pairing-watch.js';

const ID = '019e1b2c-1234-7abc-8def-0123456789ab';
const LIFE_MS = 300_000;
const TOKENS = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 3600 };
const BOUND: BoundPairing = {
  id: ID,
  userId: 'u',
  did: 'did:svc:00',
  tokens: TOKENS as BoundPairing['tokens'],
};

const created = 'id: 1\nevent: session_created\ndata: {"id":"x","state":"issued"}\n\n';
const refused =
  'id: 2\nevent: session_error\ndata: {"id":"x","error":"verification_failed","message":"No."}\n\n';
const bound = `id: 3\nevent: session_bound\ndata: ${JSON.stringify({ ...BOUND, state: 'bound' })}\n\n`;
const ended = (state: string) => `id: 3\nevent: session_${state}\ndata: {"id":"x","state":"${state}"}\n\n`;
const moved = (qrPayload: string) => `event: qr\ndata: ${JSON.stringify({ id: ID, qrPayload })}\n\n`;
const expired = ended('expired');

let server: HostileServer | undefined;
afterEach(() => server?.close());

/** The server's behaviour on one connection. The last one also applies to all later connections. */
type Connection = (socket: Socket, timing: ManualTiming, request: RawRequest) => void;

const send =
  (...pieces: string[]): Connection =>
  (socket) => {
    beginStream(socket);
    for (const piece of pieces) chunk(socket, piece);
  };
const sendAndCut =
  (...pieces: string[]): Connection =>
  (socket, timing, request) => {
    send(...pieces)(socket, timing, request);
    socket.end();
  };
const cut: Connection = (socket) => void socket.destroy();
const poll =
  (state: object): Connection =>
  (socket) =>
    respond(socket, 200, {
      session: { id: ID, qrPayload: 'code 1', ...state },
      tokens: 'userId' in state ? TOKENS : null,
    });

async function watchOver(connections: readonly Connection[], options: Partial<PairingWatch> = {}) {
  const timing = manualTiming();
  server = await hostileServer((socket, request, count) =>
    (connections[Math.min(count, connections.length) - 1] as Connection)(socket, timing, request),
  );
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, timing, maxRetries: 0 });
  const events: string[] = [];
  const expiresAt = new Date(timing.now() + LIFE_MS).toISOString();
  const pairing = {
    id: ID,
    nonce: '00'.repeat(31),
    expiresAt,
    qrPayload: 'code 1',
    streamUrl: `/v1/proof-pairing/sessions/${ID}/stream`,
    state: 'issued' as const,
    cookie: 'svc_pair_bind=x',
  };
  const end = svc.pairing.wait(pairing, {
    onLost: ({ code }) => void events.push(`lost: ${code}`),
    onResumed: () => void events.push('resumed'),
    onRefused: ({ error }) => void events.push(`refused: ${error}`),
    onPhoneConnected: ({ phoneConnectedAt }) => void events.push(`phone: ${phoneConnectedAt}`),
    onExpired: () => void events.push('expired'),
    onQr: (qrPayload) => void events.push(qrPayload),
    ...options,
  });
  end.catch(() => {});
  /** Waits for each pause between connections, and lets it pass. */
  const pass = async (...pauses: number[]) => {
    for (const pause of pauses) (await timing.waitsFor(pause))();
  };
  return { end, events, timing, pass, requests: server.requests };
}

/** The pauses after one failure, two, three: exponential, with a jitter of one half. */
const [FIRST, SECOND, THIRD] = [125, 250, 500] as const;
const POLL = 5_000;

describe('waiting for a pairing', () => {
  it('follows the stream with the cookie, and reports errors until the session is bound', async () => {
    const { end, events, requests } = await watchOver([send(created, refused, bound)]);
    await expect(end).resolves.toEqual(BOUND);
    expect(events).toEqual(['refused: verification_failed']);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      line: `GET /v1/proof-pairing/sessions/${ID}/stream`,
      headers: { cookie: 'svc_pair_bind=x', accept: 'text/event-stream' },
    });
    expect(requests[0]?.headers).not.toHaveProperty('last-event-id');
  });

  it('rejects when the code expired, and calls onExpired', async () => {
    const { end, events } = await watchOver([send(created, expired)]);
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
    expect(events).toEqual(['expired']);
  });

  it.each([
    ['declined', 'pairing_session_closed'],
    ['rejected', 'pairing_match_failed'],
  ])('rejects when the session was %s, which the stream or a poll says', async (state, code) => {
    const stream = await watchOver([send(created, ended(state))]);
    await expect(stream.end).rejects.toMatchObject({ code });
    expect(stream.events).toEqual([]);
    await server?.close();
    const polled = await watchOver([cut, cut, cut, poll({ state })]);
    await polled.pass(FIRST, SECOND, THIRD);
    await expect(polled.end).rejects.toMatchObject({ code });
  });

  it('reports each code that moved once, from the stream and from a poll', async () => {
    const connections = [
      sendAndCut(created, moved('code 1'), moved('code 2')),
      sendAndCut(moved('code 2')),
      sendAndCut(),
      poll({ state: 'issued', qrPayload: 'code 2' }),
      poll({ state: 'issued', qrPayload: 'code 3' }),
      poll({ state: 'bound', ...BOUND, qrPayload: 'code 4' }),
    ];
    const { end, events, pass, requests } = await watchOver(connections);
    await pass(FIRST, SECOND, THIRD, POLL, POLL);
    await expect(end).resolves.toEqual(BOUND);
    expect(events.filter((event) => event.startsWith('code'))).toEqual(['code 2', 'code 3']);
    // A code has no id, so the stream resumes after the event before it.
    expect(requests[1]?.headers['last-event-id']).toBe('1');
  });

  it('reports each phone that opened the code once, from the stream and from a poll [pairing/phone-connected]', async () => {
    const at = (minute: number) => `2026-11-27T10:0${minute}:00.000Z`;
    const connected = (minute: number) =>
      `event: phone_connected\ndata: ${JSON.stringify({ id: ID, state: 'issued', phoneConnectedAt: at(minute) })}\n\n`;
    const state = { state: 'issued', phoneConnectedAt: at(2) };
    const connections = [
      sendAndCut(created, connected(1)),
      sendAndCut(connected(1)),
      sendAndCut(`id: 1\nevent: session_created\ndata: ${JSON.stringify({ id: ID, ...state })}\n\n`),
      poll(state),
      poll({ state: 'issued', phoneConnectedAt: at(3) }),
      poll({ state: 'bound', ...BOUND, phoneConnectedAt: at(4) }),
    ];
    const { end, events, pass } = await watchOver(connections);
    await pass(FIRST, SECOND, THIRD, POLL, POLL);
    await expect(end).resolves.toEqual(BOUND);
    const phones = [1, 2, 3].map((minute) => `phone: ${at(minute)}`);
    expect(events.filter((event) => event.startsWith('phone'))).toEqual(phones);
  });

  it('reconnects after a cut with Last-Event-ID, and calls no callback if that succeeds', async () => {
    const { end, events, pass, requests } = await watchOver([sendAndCut(created, refused), send(bound)]);
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
    expect(requests[1]?.headers['last-event-id']).toBe('2');
    expect(events).toEqual(['refused: verification_failed']);
  });

  it('waits for the `retry` time that a closing server sends', async () => {
    const closing: Connection = (socket) => {
      beginStream(socket);
      chunk(socket, created);
      chunk(socket, ': this node is closing, connect again\nretry: 1000\n\n');
      socket.end('0\r\n\r\n');
    };
    const { end, pass } = await watchOver([closing, send(bound)]);
    await pass(1000);
    await expect(end).resolves.toEqual(BOUND);
  });

  it('calls onLost when reconnecting fails, and onResumed when it succeeds again', async () => {
    const { end, events, pass } = await watchOver([sendAndCut(created), cut, send(bound)]);
    await pass(FIRST, SECOND);
    await expect(end).resolves.toEqual(BOUND);
    expect(events).toEqual(['lost: connection_cut', 'resumed']);
  });

  it('polls the session after three streams were cut in a row', async () => {
    const connections = [
      sendAndCut(created),
      sendAndCut(),
      sendAndCut(),
      poll({ state: 'issued' }),
      poll({ state: 'bound', ...BOUND }),
    ];
    const { end, events, pass, requests } = await watchOver(connections);
    await pass(FIRST, SECOND, THIRD, POLL);
    await expect(end).resolves.toEqual(BOUND);
    expect(events).toEqual(['lost: stream_cut', 'resumed', 'lost: stream_cut', 'resumed']);
    expect(requests.slice(3).map(({ line }) => line)).toEqual(
      Array(2).fill(`GET /v1/proof-pairing/sessions/${ID}`),
    );
  });

  it('polls immediately if a proxy holds back the first event', async () => {
    const { end, timing, pass, requests } = await watchOver([send(), poll({ state: 'bound', ...BOUND })]);
    (await timing.waitsFor(5_000))();
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
    expect(requests[1]?.line).toBe(`GET /v1/proof-pairing/sessions/${ID}`);
  });

  it('reconnects when a stream has been silent for 40 seconds', async () => {
    const { end, timing, pass } = await watchOver([send(created), send(bound)]);
    (await timing.waitsFor(40_000))();
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
  });

  it('waits for the Retry-After of a busy server', async () => {
    const busy: Connection = (socket) =>
      respond(socket, 429, errorBody('rate_limit_exceeded'), { 'retry-after': '3' });
    const { end, events, pass } = await watchOver([busy, send(bound)]);
    await pass(3_000);
    await expect(end).resolves.toEqual(BOUND);
    expect(events).toEqual([]);
  });

  it('ends as expired when the code’s time is over and the session cannot be read', async () => {
    const { end, events, timing, pass } = await watchOver([sendAndCut(created), cut]);
    await pass(FIRST, SECOND, THIRD);
    timing.advance(LIFE_MS);
    for (let failed = 0; !events.includes('expired') && failed < 5; failed++) {
      timing.advance(10_000);
      await Promise.race([end.catch(() => {}), timing.waitsFor(2 ** failed * 1000)]);
    }
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
    expect(events).toEqual(['lost: connection_cut', 'expired']);
  });

  it.each([401, 403, 404])('rejects immediately on %i, which is permanent', async (status) => {
    const code =
      { 401: 'invalid_api_key', 403: 'pairing_bind_mismatch' }[status] ?? 'pairing_session_not_found';
    const { end, events, requests } = await watchOver([(socket) => respond(socket, status, errorBody(code))]);
    await expect(end).rejects.toMatchObject({ code, status });
    expect(events).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('rejects with the error that a callback throws, and does not retry', async () => {
    const onRefused = () => {
      throw new Error('no screen');
    };
    const { end, events, requests } = await watchOver([send(created, refused, bound)], { onRefused });
    await expect(end).rejects.toThrow('no screen');
    expect(events).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('rejects with the reason of an aborted signal, and closes the connection', async () => {
    const abort = new AbortController();
    const reason = new Error('the page was closed');
    let closed = () => {};
    const disconnected = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { end } = await watchOver(
      [
        (socket, timing, request) => {
          send(created)(socket, timing, request);
          socket.on('close', closed);
          abort.abort(reason);
        },
      ],
      { signal: abort.signal },
    );
    await expect(end).rejects.toBe(reason);
    await disconnected;
  });
});
