import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../../test/hostile-server.js';
import { Svc } from '../../sdk.js';

const PLACE = { tenantId: '019db486-65c0-785d-839b-c57d73f54993', environment: 'live' as const };
const DID = 'did:svc:00';
const ASSERTION = { authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' };
const EVIDENCE = { attestationObject: 'AA', clientDataJSON: 'AA', assertion: ASSERTION };
const SIGNED = { keyId: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28', assertion: ASSERTION };
const PROOF = { did: DID, proof: {} as never, publicSignals: ['1', '2', '3'] as const };

let server: HostileServer | undefined;
afterEach(() => server?.close());

const sent = () => server?.requests.map(({ line, body }) => [line, JSON.parse(body)]);

it('a phone enrolls a key without an API key, and sends no more than the fields of each', async () => {
  const replies = [{ challenge: 'c', expiresAt: 't' }, { attestationKey: { id: 'k' } }];
  server = await hostileServer((socket) => respond(socket, 201, replies.shift() ?? {}));
  const { attestation } = new Svc({ baseUrl: server.url }).phone;
  const secret = { biometricSecret: 'secret' };
  const { challenge } = await attestation.createChallenge({ ...PLACE, did: DID, ...secret });
  const key = { ...PROOF, challenge, platform: 'webauthn', evidence: EVIDENCE } as const;
  expect(await attestation.createKey({ ...PLACE, ...key, ...secret })).toEqual({ id: 'k' });
  expect(sent()).toEqual([
    ['POST /v1/attestation/challenges', { ...PLACE, did: DID }],
    ['POST /v1/attestation/keys', { ...PLACE, ...key }],
  ]);
});

it('an assertion is sent with every proof that can have one', async () => {
  server = await hostileServer((socket) => respond(socket, 200, {}));
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_live_${'a'.repeat(48)}` });
  const use = { nonce: 'n', timestamp: 1 };
  const joined = { newCommitment: 'c', newProof: {} as never, newPublicSignals: PROOF.publicSignals };
  const signed = { ...PROOF, attestation: SIGNED };
  const { identity, approvals, pairing } = svc.phone;
  await svc.identity.verify({ ...signed, ...use });
  await svc.identity.add({ ...signed, ...use, ...joined, newDid: DID });
  await svc.identity.rotate({ ...signed, ...use, ...joined });
  await identity.add({ ...signed, ...PLACE, ...use, ...joined, newDid: DID });
  await identity.rotate({ ...signed, ...PLACE, ...use, ...joined });
  const decision = { decision: 'approve', digest: 'ab'.repeat(32), decidedAt: 1 } as const;
  await approvals.decide({ ...signed, ...decision, approvalId: 'a' });
  await pairing.submit('s', { ...PROOF, clientMeta: { attestation: SIGNED } });
  const bodies = server.requests.map(({ body }) => JSON.parse(body));
  expect(bodies.map((body) => body.attestation ?? body.clientMeta.attestation)).toEqual(
    bodies.map(() => SIGNED),
  );
  expect(bodies).toHaveLength(7);
  expect(server.requests.map(({ headers }) => headers.authorization !== undefined)).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
});

it('a ceremony enrolls the key that the phone makes for the nonce of its last step', async () => {
  const replies = [
    { tenant_id: PLACE.tenantId, environment: 'live', next: { code: 'SV-2222-2222' } },
    { next: { code: 'SV-3333-3333', challenge_nonce: 'n' } },
    { state: 'completed' },
  ];
  server = await hostileServer((socket) => respond(socket, 200, replies.shift() ?? {}));
  const session = '019e1b2c-1234-7abc-8def-0123456789ab';
  const link = `svc://reg?step=pair&session=${session}&code=SV-4444-4444`;
  const attestation = { platform: 'webauthn', evidence: EVIDENCE } as const;
  const challenges: object[] = [];
  await new Svc({ baseUrl: server.url }).registrations.takePart(link, {
    ...{ fingerprint: 'phone:0123456789abcdef', identity: { did: DID, commitment: 'c' } },
    attest: async (challenge) => {
      challenges.push(challenge);
      return attestation;
    },
    prove: async (challenge) => {
      challenges.push(challenge);
      return PROOF;
    },
  });
  const challenge = { ...PLACE, sessionId: session, challengeNonce: 'n' };
  expect(challenges).toEqual([challenge, { ...challenge, attestation }]);
  expect(sent()?.at(-1)).toMatchObject([
    'POST /v1/registrations/complete',
    { challenge_nonce: 'n', attestation },
  ]);
});
