import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { fastTiming, NEVER_MS } from '../../test/timing.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

it('polls a ceremony every five seconds until it has ended, and reports each state once', async () => {
  const states = ['awaiting_device', 'awaiting_device', 'awaiting_commitment', 'expired'];
  server = await hostileServer((socket, _, count) =>
    respond(socket, 200, { session: { id: 'a', state: states[count - 1] } }),
  );
  const timing = fastTiming();
  const svc = new Svc({
    baseUrl: server.url,
    apiKey: `svc_test_${'0'.repeat(48)}`,
    timing,
    timeoutMs: NEVER_MS,
  });
  const reported: string[] = [];
  const ended = await svc.registrations.wait('a', { onState: ({ state }) => void reported.push(state) });
  expect(ended.state).toBe('expired');
  expect(reported).toEqual(['awaiting_device', 'awaiting_commitment', 'expired']);
  expect(timing.waits).toEqual([5_000, 5_000, 5_000]);
});
