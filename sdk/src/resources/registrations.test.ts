import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const client = (url: string, timing = fastTiming()) => ({
  timing,
  svc: new Svc({ baseUrl: url, apiKey: `svc_test_${'0'.repeat(48)}`, timing, timeoutMs: NEVER_MS }),
});

const sessionAt = (state: string, more: object = {}) => ({ session: { id: 'a', state, ...more } });

it('follows the stream of a ceremony until it has ended, and reports each state and each phone once', async () => {
  const opened = { phone_connected_at: '2026-05-12T09:30:00.000Z' };
  const events = [
    sessionAt('awaiting_device'),
    sessionAt('awaiting_device', opened),
    sessionAt('awaiting_device', opened),
    sessionAt('awaiting_commitment', opened),
    sessionAt('completed', opened),
  ];
  server = await hostileServer((socket) => {
    const text = events.map((data) => `event: registration\ndata: ${JSON.stringify(data)}\n\n`).join('');
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${text}`);
  });
  const { svc } = client(server.url);
  const reported: string[] = [];
  const ended = await svc.registrations.wait('a', {
    onState: ({ state }) => void reported.push(state),
    onPhoneConnected: () => void reported.push('phone'),
  });
  expect(ended.state).toBe('completed');
  expect(reported).toEqual(['awaiting_device', 'phone', 'awaiting_commitment', 'completed']);
  expect(server.requests.map(({ line }) => line)).toEqual(['GET /v1/registrations/a/stream']);
});

it('polls every five seconds where there is no stream', async () => {
  const states = ['awaiting_device', 'awaiting_device', 'awaiting_commitment', 'expired'];
  let polls = 0;
  server = await hostileServer((socket, request) => {
    if (request.line.endsWith('/stream')) return respond(socket, 404, { error: 'not_found', message: 'No.' });
    const state = states[polls];
    polls += 1;
    respond(socket, 200, sessionAt(String(state)));
  });
  const { svc, timing } = client(server.url);
  const reported: string[] = [];
  const ended = await svc.registrations.wait('a', { onState: ({ state }) => void reported.push(state) });
  expect(ended.state).toBe('expired');
  expect(reported).toEqual(['awaiting_device', 'awaiting_commitment', 'expired']);
  expect(timing.waits.filter((ms) => ms === 5_000).length).toBeGreaterThanOrEqual(2);
});

it('throws for a registration that does not exist', async () => {
  server = await hostileServer((socket) =>
    respond(socket, 404, { error: 'session_not_found', message: 'No.', requestId: 'r' }),
  );
  const { svc } = client(server.url);
  await expect(svc.registrations.wait('a')).rejects.toMatchObject({ code: 'session_not_found' });
});
