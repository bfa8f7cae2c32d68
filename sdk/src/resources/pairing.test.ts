import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { beginStream, chunk, type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { type PairingSignIn, Svc } from '../sdk.js';

const TOKENS = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 3600 };

let server: HostileServer | undefined;
afterEach(() => server?.close());

const respondWithPairing = (socket: Socket, id: string, timing: { now(): number }, session: object = {}) =>
  respond(
    socket,
    201,
    {
      session: {
        id,
        state: 'issued',
        qrPayload: id,
        url: 'https://a.test/1',
        matchCode: '07',
        expiresAt: new Date(timing.now() + 300_000).toISOString(),
        ...session,
      },
    },
    {
      'set-cookie': `svc_pair_bind=${id}~secret; Path=/v1/proof-pairing/; HttpOnly; Secure; SameSite=Strict`,
    },
  );
const endStream = (socket: Socket, state: string) => {
  beginStream(socket);
  chunk(
    socket,
    `id: 1\nevent: session_${state}\ndata: ${JSON.stringify({ id: 'x', state, userId: 'u', did: 'd', tokens: TOKENS })}\n\n`,
  );
};

/** A desktop whose server behaves for each request in this order: `open`, `away`, or a state that ends the session. */
async function signIn(behaviours: readonly string[], options: Partial<PairingSignIn> = {}) {
  const clock = fastTiming();
  // The timers of a watched stream never fire.
  const timing = {
    ...clock,
    after: (ms: number, run: () => void) => (ms >= 4_000 ? () => {} : clock.after(ms, run)),
  };
  const events: string[] = [];
  server = await hostileServer((socket, { headers }, count) => {
    const what = behaviours[count - 1];
    if (what === 'open') respondWithPairing(socket, `s${count}`, timing);
    else if (what === 'away') socket.destroy();
    else {
      events.push(`stream with ${headers.cookie}`);
      endStream(socket, String(what));
    }
  });
  const svc = new Svc({
    baseUrl: server.url,
    apiKey: `svc_test_${'0'.repeat(48)}`,
    timing,
    timeoutMs: NEVER_MS,
  });
  const end = svc.pairing.signIn({
    onCode: ({ qrPayload }) => void events.push(`code ${qrPayload}`),
    onExpired: () => void events.push('expired'),
    onLost: ({ code }) => void events.push(`lost: ${code}`),
    onResumed: () => void events.push('resumed'),
    ...options,
  });
  return { end, events };
}

describe('signing in by pairing', () => {
  it('replaces an expired code by a new one, each with the cookie of its session', async () => {
    const { end, events } = await signIn(['open', 'expired', 'open', 'bound']);
    await expect(end).resolves.toMatchObject({ userId: 'u', did: 'd' });
    expect(events).toEqual([
      'code s1',
      'stream with svc_pair_bind=s1~secret',
      'expired',
      'code s3',
      'stream with svc_pair_bind=s3~secret',
    ]);
  });

  it('uses the console’s operations in the console, with the environment in each request', async () => {
    const lines: string[] = [];
    const abort = new AbortController();
    server = await hostileServer((socket, { line, headers }, count) => {
      lines.push(`${line} ${headers.cookie ?? ''}`.trim());
      if (count === 1) respondWithPairing(socket, 's1', { now: Date.now });
      else if (count === 2) abort.abort(new Error('page closed'));
      else
        respond(socket, 200, {
          session: { id: 's1', state: 'bound', userId: 'u', did: 'd' },
          tokens: TOKENS,
        });
    });
    const svc = new Svc({ baseUrl: server.url, consoleSession: true, maxRetries: 0 });
    const desktop = svc.console.pairing('test');
    const pairing = await desktop.create();
    await expect(desktop.wait(pairing, { signal: abort.signal })).rejects.toThrow('page closed');
    await expect(desktop.get(pairing)).resolves.toMatchObject({ session: { state: 'bound' } });
    expect(lines).toEqual([
      'POST /v1/proof-pairing/sessions?environment=test',
      'GET /v1/proof-pairing/sessions/s1/stream?environment=test svc_pair_bind=s1~secret',
      'GET /v1/proof-pairing/sessions/s1?environment=test svc_pair_bind=s1~secret',
    ]);
  });

  it('asks for a number unless match is off, and passes on what the session asks for', async () => {
    server = await hostileServer((socket) => respondWithPairing(socket, 's1', { now: Date.now }));
    const { pairing } = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
    const { console } = new Svc({ baseUrl: server.url, consoleSession: true });
    const context = { origin: 'https://app.example.com', application: 'Northwind Portal' };
    await pairing.create();
    await pairing.create({ context });
    await pairing.create({ match: 'off' });
    await pairing.create({ match: 'off', rotate: true });
    await pairing.create({ sameDevice: true, returnUrl: 'https://app.example.com/signed-in' });
    await console.pairing('test').create({ context });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { match: 'type' },
      { match: 'type', context },
      { match: 'off' },
      { match: 'off', rotate: true },
      { match: 'type', sameDevice: true, returnUrl: 'https://app.example.com/signed-in' },
      { match: 'type', context },
    ]);
  });

  it('is rejected if an older server ignores that a number is asked for', async () => {
    server = await hostileServer((socket) =>
      respondWithPairing(socket, 's1', { now: Date.now }, { matchCode: undefined }),
    );
    const { pairing } = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
    await expect(pairing.create()).rejects.toMatchObject({ code: 'server_too_old' });
    await expect(pairing.create({ match: 'off' })).resolves.toMatchObject({ id: 's1' });
  });

  it('shows the number beside each code, also when the code has moved, and one code after the other', async () => {
    const context = { application: 'Northwind Portal' };
    server = await hostileServer((socket, _, count) => {
      if (count === 1) return respondWithPairing(socket, 's1', { now: Date.now });
      beginStream(socket);
      // A node of an earlier version sends no address.
      for (const code of [{ qrPayload: 's2', url: 'https://a.test/2' }, { qrPayload: 's3' }])
        chunk(socket, `event: qr\ndata: ${JSON.stringify({ id: 's1', ...code })}\n\n`);
    });
    const shown: string[] = [];
    const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
    const abort = new AbortController();
    const end = svc.pairing.signIn({
      context,
      signal: abort.signal,
      async onCode({ id, qrPayload, url, matchCode }) {
        // A slow display of the first code must not come after the second.
        if (qrPayload === 's1') await new Promise(setImmediate);
        shown.push(`${id} ${qrPayload} ${url} ${matchCode}`);
        if (qrPayload === 's3') abort.abort(new Error('seen'));
      },
    });
    await expect(end).rejects.toThrow('seen');
    expect(shown).toEqual(['s1 s1 https://a.test/1 07', 's1 s2 https://a.test/2 07', 's1 s3 undefined 07']);
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ match: 'type', context });
  });

  it.each([
    ['declined', 'pairing_session_closed'],
    ['rejected', 'pairing_match_failed'],
  ])('ends without a new code when the session was %s', async (state, code) => {
    const { end, events } = await signIn(['open', state]);
    await expect(end).rejects.toMatchObject({ code });
    expect(events).toEqual(['code s1', 'stream with svc_pair_bind=s1~secret']);
  });

  it('redeems the code that a phone returned with, with the cookie of the session', async () => {
    server = await hostileServer((socket) =>
      respond(socket, 200, { session: { id: 's1', state: 'bound' }, tokens: TOKENS }),
    );
    const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
    const pairing = { id: 's1', cookie: 'svc_pair_bind=s1~secret' };
    await expect(svc.pairing.redeem(pairing, 'abc')).resolves.toMatchObject({ tokens: TOKENS });
    expect(server.requests[0]).toMatchObject({
      line: 'POST /v1/proof-pairing/sessions/s1/redeem',
      headers: { cookie: pairing.cookie },
      body: JSON.stringify({ returnCode: 'abc' }),
    });
  });

  it('requires onCode before it creates a session', async () => {
    const svc = new Svc({ baseUrl: 'https://a.test', apiKey: `svc_test_${'0'.repeat(48)}` });
    await expect(svc.pairing.signIn({} as PairingSignIn)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('onCode'),
    });
  });

  it('ends after the given number of expired codes', async () => {
    const { end } = await signIn(['open', 'expired', 'open', 'expired'], { codes: 2 });
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
  });

  it('retries to get a new code while the service is unavailable, and reports that', async () => {
    const { end, events } = await signIn(['open', 'expired', 'away', 'away', 'open', 'bound']);
    await expect(end).resolves.toMatchObject({ userId: 'u' });
    expect(events.filter((line) => !line.startsWith('stream'))).toEqual([
      'code s1',
      'expired',
      'lost: connection_cut',
      'resumed',
      'code s5',
    ]);
  });

  it('fails immediately if the first code cannot be created', async () => {
    const { end, events } = await signIn(['away']);
    await expect(end).rejects.toMatchObject({ code: 'connection_cut' });
    expect(events).toEqual([]);
  });

  it('rejects with the error that onCode throws or rejects with', async () => {
    for (const onCode of [
      () => {
        throw new Error('no screen');
      },
      () => Promise.reject(new Error('no screen')),
    ]) {
      const { end } = await signIn(['open', 'away'], { onCode });
      await expect(end).rejects.toThrow('no screen');
      await server?.close();
    }
    server = undefined;
  });
});
