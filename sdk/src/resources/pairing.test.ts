import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, beginStream, chunk, type HostileServer, hostileServer } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { type PairingSignIn, Svc } from '../sdk.js';

const TOKENS = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 3600 };

let server: HostileServer | undefined;
afterEach(() => server?.close());

const opened = (socket: Socket, id: string, timing: { now(): number }) =>
  answer(
    socket,
    201,
    {
      session: {
        id,
        state: 'issued',
        qrPayload: id,
        expiresAt: new Date(timing.now() + 300_000).toISOString(),
      },
    },
    {
      'set-cookie': `svc_pair_bind=${id}~secret; Path=/v1/proof-pairing/; HttpOnly; Secure; SameSite=Strict`,
    },
  );
const ends = (socket: Socket, state: 'expired' | 'bound') => {
  beginStream(socket);
  chunk(
    socket,
    `id: 1\nevent: session_${state}\ndata: ${JSON.stringify({ id: 'x', state, userId: 'u', did: 'd', tokens: TOKENS })}\n\n`,
  );
};

/** A desktop of a server whose answers come in this order: `open`, `expired`, `bound`, `away`. */
async function signIn(answers: readonly string[], options: Partial<PairingSignIn> = {}) {
  const clock = fastTiming();
  // A watched stream stays as long as it likes.
  const timing = {
    ...clock,
    after: (ms: number, run: () => void) => (ms >= 4_000 ? () => {} : clock.after(ms, run)),
  };
  const told: string[] = [];
  server = await hostileServer((socket, { headers }, count) => {
    const what = answers[count - 1];
    if (what === 'open') opened(socket, `s${count}`, timing);
    else if (what === 'away') socket.destroy();
    else {
      told.push(`stream with ${headers.cookie}`);
      ends(socket, what as 'expired' | 'bound');
    }
  });
  const svc = new Svc({
    baseUrl: server.url,
    apiKey: `svc_test_${'0'.repeat(48)}`,
    timing,
    timeoutMs: NEVER_MS,
  });
  const end = svc.pairing.signIn({
    onCode: ({ qrPayload }) => void told.push(`code ${qrPayload}`),
    onExpired: () => void told.push('expired'),
    onLost: ({ code }) => void told.push(`lost: ${code}`),
    onResumed: () => void told.push('resumed'),
    ...options,
  });
  return { end, told };
}

describe('signing in by pairing', () => {
  it('puts a new code in place of one that ran out, each with the cookie of its session', async () => {
    const { end, told } = await signIn(['open', 'expired', 'open', 'bound']);
    await expect(end).resolves.toMatchObject({ userId: 'u', did: 'd' });
    expect(told).toEqual([
      'code s1',
      'stream with svc_pair_bind=s1~secret',
      'expired',
      'code s3',
      'stream with svc_pair_bind=s3~secret',
    ]);
  });

  it('does the same in the console, with its operations and the environment in each call', async () => {
    const lines: string[] = [];
    const gone = new AbortController();
    server = await hostileServer((socket, { line, headers }, count) => {
      lines.push(`${line} ${headers.cookie ?? ''}`.trim());
      if (count === 1) opened(socket, 's1', { now: Date.now });
      else if (count === 2) gone.abort(new Error('gone'));
      else
        answer(socket, 200, { session: { id: 's1', state: 'bound', userId: 'u', did: 'd' }, tokens: TOKENS });
    });
    const svc = new Svc({ baseUrl: server.url, consoleToken: 'a.b.c', maxRetries: 0 });
    const desktop = svc.console.pairing('test');
    const pairing = await desktop.create();
    await expect(desktop.wait(pairing, { signal: gone.signal })).rejects.toThrow('gone');
    await expect(desktop.get(pairing)).resolves.toMatchObject({ session: { state: 'bound' } });
    expect(lines).toEqual([
      'POST /api/console/pairing?environment=test',
      'GET /api/console/pairing/s1/stream?environment=test svc_pair_bind=s1~secret',
      'GET /api/console/pairing/s1?environment=test svc_pair_bind=s1~secret',
    ]);
  });

  it('asks for somebody who shows the code before it opens anything', async () => {
    const svc = new Svc({ baseUrl: 'https://a.test', apiKey: `svc_test_${'0'.repeat(48)}` });
    await expect(svc.pairing.signIn({} as PairingSignIn)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('onCode'),
    });
  });

  it('ends when as many codes ran out as it was told', async () => {
    const { end } = await signIn(['open', 'expired', 'open', 'expired'], { codes: 2 });
    await expect(end).rejects.toMatchObject({ code: 'pairing_session_expired' });
  });

  it('asks again for a new code while the service is away, and says so', async () => {
    const { end, told } = await signIn(['open', 'expired', 'away', 'away', 'open', 'bound']);
    await expect(end).resolves.toMatchObject({ userId: 'u' });
    expect(told.filter((line) => !line.startsWith('stream'))).toEqual([
      'code s1',
      'expired',
      'lost: connection_cut',
      'resumed',
      'code s5',
    ]);
  });

  it('ends at once when there is no first code', async () => {
    const { end, told } = await signIn(['away']);
    await expect(end).rejects.toMatchObject({ code: 'connection_cut' });
    expect(told).toEqual([]);
  });

  it('ends with what showing the code throws, at once or later', async () => {
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
