import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

it('never sends the secret or the salt, even if the caller passes the whole identity', async () => {
  server = await hostileServer((socket) => respond(socket, 201, { next: { code: 'SV-2345-6789' } }));
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, maxRetries: 0 });
  const identity = {
    did: 'did:svc:00',
    commitment: '00'.repeat(32),
    biometricSecret: 'secret',
    salt: 'secret salt',
  };
  await svc.identity.register(identity);
  const session = '019e1b2c-1234-7abc-8def-0123456789ab';
  await svc.registrations
    .takePart(`svc://reg?step=pair&session=${session}&code=SV-2345-6789`, {
      fingerprint: 'phone:0123456789abcdef',
      identity,
      prove: () => Promise.reject(new Error('no proof')),
    })
    .catch(() => {});
  const bodies = server.requests.map(({ body }) => JSON.parse(body));
  expect(bodies).toEqual([
    { did: 'did:svc:00', commitment: '00'.repeat(32) },
    { pair_code: 'SV-2345-6789', session_id: session, fingerprint: 'phone:0123456789abcdef' },
    { enroll_code: 'SV-2345-6789', session_id: session, did: 'did:svc:00', commitment: '00'.repeat(32) },
  ]);
});
