import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  answer,
  beginStream,
  chunk,
  type HostileServer,
  hostileServer,
  type RawRequest,
  refusal,
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
const expired = 'id: 3\nevent: session_expired\ndata: {"id":"x","state":"expired"}\n\n';

let server: HostileServer | undefined;
afterEach(() => server?.close());

/** What one connection does, in the order in which they come; the last goes on for all that follow. */
type Connection = (socket: Socket, timing: ManualTiming, request: RawRequest) => void;

const say =
  (...pieces: string[]): Connection =>
  (socket) => {
    beginStream(socket);
    for (const piece of pieces) chunk(socket, piece);
  };
const sayAndCut =
  (...pieces: string[]): Connection =>
  (socket, timing, request) => {
    say(...pieces)(socket, timing, request);
    socket.end();
  };
const cut: Connection = (socket) => void socket.destroy();
const poll =
  (state: object): Connection =>
  (socket) =>
    answer(socket, 200, { session: { id: ID, ...state }, tokens: 'userId' in state ? TOKENS : null });

async function watchOver(connections: readonly Connection[], options: Partial<PairingWatch> = {}) {
  const timing = manualTiming();
  server = await hostileServer((socket, request, count) =>
    (connections[Math.min(count, connections.length) - 1] as Connection)(socket, timing, request),
  );
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, timing, maxRetries: 0 });
  const told: string[] = [];
  const expiresAt = new Date(timing.now() + LIFE_MS).toISOString();
  const pairing = {
    id: ID,
    nonce: '00'.repeat(31),
    expiresAt,
    qrPayload: 'za:pair:1:…',
    streamUrl: `/v1/proof-pairing/sessions/${ID}/stream`,
    state: 'issued' as const,
    cookie: 'svc_pair_bind=x',
  };
  const end = svc.pairing.wait(pairing, {
    onLost: ({ code }) => void told.push(`lost: ${code}`),
    onResumed: () => void told.push('resumed'),
    onRefused: ({ error }) => void told.push(`refused: ${error}`),
    onExpired: () => void told.push('expired'),
    ...options,
  });
  end.catch(() => {});
  /** Lets the pauses between two connections pass, of which there are so many. */
  const pass = async (...pauses: number[]) => {
    for (const pause of pauses) (await timing.waitsFor(pause))();
  };
  return { end, told, timing, pass, requests: server.requests };
}

/** The pauses after one failure, two, three: exponential, with a jitter of one half. */
const [FIRST, SECOND, THIRD] = [125, 250, 500] as const;
const POLL = 5_000;

describe('waiting for a pairing', () => {
  it('follows the stream with the cookie and tells of refusals until it is bound', async () => {
    const { end, told, requests } = await watchOver([say(created, refused, bound)]);
    await expect(end).resolves.toEqual(BOUND);
    expect(told).toEqual(['refused: verification_failed']);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      line: `GET /v1/proof-pairing/sessions/${ID}/stream`,
      headers: { cookie: 'svc_pair_bind=x', accept: 'text/event-stream' },
    });
    expect(requests[0]?.headers).not.toHaveProperty('last-event-id');
  });

  it('ends with an error when the code ran out, and says to take it away', async () => {
    const { end, told } = await watchOver([say(created, expired)]);
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
    expect(told).toEqual(['expired']);
  });

  it('connects again where it was cut, with Last-Event-ID, and bothers nobody when that isTransient it', async () => {
    const { end, told, pass, requests } = await watchOver([sayAndCut(created, refused), say(bound)]);
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
    expect(requests[1]?.headers['last-event-id']).toBe('2');
    expect(told).toEqual(['refused: verification_failed']);
  });

  it('keeps to the pause that a server asks for when it goes', async () => {
    const farewell: Connection = (socket) => {
      beginStream(socket);
      chunk(socket, created);
      chunk(socket, ': this node is closing, connect again\nretry: 1000\n\n');
      socket.end('0\r\n\r\n');
    };
    const { end, pass } = await watchOver([farewell, say(bound)]);
    await pass(1000);
    await expect(end).resolves.toEqual(BOUND);
  });

  it('says that the session is lost when connecting again fails, and when it can be seen again', async () => {
    const { end, told, pass } = await watchOver([sayAndCut(created), cut, say(bound)]);
    await pass(FIRST, SECOND);
    await expect(end).resolves.toEqual(BOUND);
    expect(told).toEqual(['lost: connection_cut', 'resumed']);
  });

  it('asks for the session instead once three streams were cut in a row', async () => {
    const connections = [
      sayAndCut(created),
      sayAndCut(),
      sayAndCut(),
      poll({ state: 'issued' }),
      poll({ state: 'bound', ...BOUND }),
    ];
    const { end, told, pass, requests } = await watchOver(connections);
    await pass(FIRST, SECOND, THIRD, POLL);
    await expect(end).resolves.toEqual(BOUND);
    expect(told).toEqual(['lost: stream_cut', 'resumed', 'lost: stream_cut', 'resumed']);
    expect(requests.slice(3).map(({ line }) => line)).toEqual(
      Array(2).fill(`GET /v1/proof-pairing/sessions/${ID}`),
    );
  });

  it('asks for the session instead at once where a proxy holds the first event back', async () => {
    const { end, timing, pass, requests } = await watchOver([say(), poll({ state: 'bound', ...BOUND })]);
    (await timing.waitsFor(5_000))();
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
    expect(requests[1]?.line).toBe(`GET /v1/proof-pairing/sessions/${ID}`);
  });

  it('takes a stream for dead that says nothing for forty seconds', async () => {
    const { end, timing, pass } = await watchOver([say(created), say(bound)]);
    (await timing.waitsFor(40_000))();
    await pass(FIRST);
    await expect(end).resolves.toEqual(BOUND);
  });

  it('waits as long as a busy server asks', async () => {
    const busy: Connection = (socket) =>
      answer(socket, 429, refusal('rate_limit_exceeded'), { 'retry-after': '3' });
    const { end, told, pass } = await watchOver([busy, say(bound)]);
    await pass(3_000);
    await expect(end).resolves.toEqual(BOUND);
    expect(told).toEqual([]);
  });

  it('never outlives the code: what cannot be seen any more has expired with it', async () => {
    const { end, told, timing, pass } = await watchOver([sayAndCut(created), cut]);
    await pass(FIRST, SECOND, THIRD);
    timing.advance(LIFE_MS);
    for (let failed = 0; !told.includes('expired') && failed < 5; failed++) {
      timing.advance(10_000);
      await Promise.race([end.catch(() => {}), timing.waitsFor(2 ** failed * 1000)]);
    }
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
    expect(told).toEqual(['lost: connection_cut', 'expired']);
  });

  it.each([401, 403, 404])(
    'ends at once with a refusal of %i, which no other try would mend',
    async (status) => {
      const code =
        { 401: 'invalid_api_key', 403: 'pairing_bind_mismatch' }[status] ?? 'pairing_session_not_found';
      const { end, told, requests } = await watchOver([(socket) => answer(socket, status, refusal(code))]);
      await expect(end).rejects.toMatchObject({ code, status });
      expect(told).toEqual([]);
      expect(requests).toHaveLength(1);
    },
  );

  it('ends with what a callback throws, and takes it for no fault of the stream', async () => {
    const onRefused = () => {
      throw new Error('no screen');
    };
    const { end, told, requests } = await watchOver([say(created, refused, bound)], { onRefused });
    await expect(end).rejects.toThrow('no screen');
    expect(told).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('rejects with the reason of an aborted signal, and lets the connection go', async () => {
    const abort = new AbortController();
    const reason = new Error('the page was closed');
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { end } = await watchOver(
      [
        (socket, timing, request) => {
          say(created)(socket, timing, request);
          socket.on('close', closed);
          abort.abort(reason);
        },
      ],
      { signal: abort.signal },
    );
    await expect(end).rejects.toBe(reason);
    await gone;
  });
});
