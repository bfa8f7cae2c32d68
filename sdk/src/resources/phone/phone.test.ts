import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../../test/hostile-server.js';
import { Svc } from '../../sdk.js';

const SESSION = '019e1b2c-1234-7abc-8def-0123456789ab';
const PROOF = {
  sessionId: SESSION,
  did: 'did:svc:00',
  proof: {} as never,
  publicSignals: ['1', '2', '3'] as const,
  matchCode: '07',
  scanTicket: '1.abc',
};

let server: HostileServer | undefined;
afterEach(() => server?.close());

it('a phone reads, approves and declines without an API key, and sends no more than the fields of each', async () => {
  server = await hostileServer((socket) => respond(socket, 200, {}));
  const { pairing } = new Svc({ baseUrl: server.url }).phone;
  await pairing.context({ sessionId: SESSION });
  await pairing.context({ sessionId: SESSION, scan: { slot: 177857820, slotMac: 'Zm9vYmFy_-AbCd09' } });
  await pairing.submit(SESSION, { ...PROOF, clientMeta: { platform: 'test' } });
  await pairing.state(SESSION);
  await pairing.decline(SESSION, { ...PROOF, reason: 'not_me' });
  const { sessionId: _, matchCode, ...proof } = PROOF;
  expect(
    server.requests.map(({ line, headers, body }) => [line, headers.authorization, body && JSON.parse(body)]),
  ).toEqual([
    [`GET /v1/phone/pairing/${SESSION}/context`, undefined, ''],
    [`GET /v1/phone/pairing/${SESSION}/context?slot=177857820&slotMac=Zm9vYmFy_-AbCd09`, undefined, ''],
    [
      `POST /v1/phone/pairing/${SESSION}/submit`,
      undefined,
      { ...proof, matchCode, clientMeta: { platform: 'test' } },
    ],
    [`GET /v1/phone/pairing/${SESSION}/state`, undefined, ''],
    [`POST /v1/phone/pairing/${SESSION}/decline`, undefined, { ...proof, reason: 'not_me' }],
  ]);
});
