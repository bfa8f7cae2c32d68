import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../../test/hostile-server.js';
import { Svc } from '../../sdk.js';
import { systemTiming } from '../../transport/timing.js';

const ID = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28';
const PLACE = { tenantId: '019db486-65c0-785d-839b-c57d73f54993', environment: 'live' as const };
const PROOF = {
  did: 'did:svc:00',
  nonce: 'n',
  timestamp: 1,
  proof: {} as never,
  publicSignals: ['1', '2', '3'] as const,
};
const JOINED = {
  newDid: 'did:svc:01',
  newCommitment: '00',
  newProof: {} as never,
  newPublicSignals: ['1', '2', '3'] as const,
};

let server: HostileServer | undefined;
afterEach(() => server?.close());

it('two phones send no API key, and no more than the fields of each step', async () => {
  server = await hostileServer((socket) => respond(socket, 200, { addition: {} }));
  const { additions } = new Svc({ baseUrl: server.url }).phone;
  const secret = { biometricSecret: 'secret' };
  await additions.open({ ...PLACE, ...PROOF, aHash: 'h', ...secret });
  await additions.join('SV-7K2M-Q9XH', 'c');
  await additions.reveal(ID, { a: 'a', nonce: 'n', timestamp: 1, ...secret });
  await additions.answer(ID, { ...JOINED, b: 'b', ...secret });
  await additions.reject(ID, 'a');
  await additions.get(ID);
  const requests = server.requests.map(({ line, body }) => [line, body && JSON.parse(body)]);
  expect(requests).toEqual([
    ['POST /v1/phone/additions', { ...PLACE, ...PROOF, aHash: 'h' }],
    ['POST /v1/phone/additions/SV-7K2M-Q9XH/join', { c: 'c' }],
    [`POST /v1/phone/additions/${ID}/reveal`, { a: 'a', nonce: 'n', timestamp: 1 }],
    [`POST /v1/phone/additions/${ID}/open`, { ...JOINED, b: 'b' }],
    [`POST /v1/phone/additions/${ID}/reject`, { a: 'a' }],
    [`GET /v1/phone/additions/${ID}`, ''],
  ]);
  expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

it('a phone waits until the state is another one, with a pause if the service does not wait', async () => {
  const states = ['open', 'open', 'joined'];
  server = await hostileServer((socket) => respond(socket, 200, { addition: { state: states.shift() } }));
  const pauses: number[] = [];
  const timing = {
    ...systemTiming,
    now: () => 0,
    after: (ms: number, run: () => void) => {
      if (ms > 1_000) return () => {};
      pauses.push(ms);
      setImmediate(run);
      return () => {};
    },
  };
  const { additions } = new Svc({ baseUrl: server.url, timing }).phone;
  expect(await additions.waitWhile(ID, 'open')).toMatchObject({ state: 'joined' });
  expect(server.requests.map(({ line }) => line)).toEqual(
    Array(3).fill(`GET /v1/phone/additions/${ID}?state=open&wait=25`),
  );
  expect(pauses).toEqual([1_000, 1_000]);
});

it('a use has a nonce of its own and the time of the service, which is asked first', async () => {
  const date = 'Tue, 12 May 2026 09:30:00 GMT';
  server = await hostileServer((socket) => respond(socket, 200, {}, { date }));
  const { phone } = new Svc({ baseUrl: server.url, timing: { ...systemTiming, now: () => 0 } });
  const [one, other] = [await phone.createUse(PLACE), await phone.createUse(PLACE)];
  expect(one).toEqual({ ...PLACE, nonce: one.nonce, timestamp: expect.any(Number) });
  expect(Math.abs(one.timestamp - Date.parse(date))).toBeLessThan(2_000);
  expect(one.nonce).not.toBe(other.nonce);
  expect(server.requests.map(({ line }) => line)).toEqual(['GET /api/health']);
});
