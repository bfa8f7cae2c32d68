import { expect, test } from 'vitest';
import type { IdentityProver } from '../identity-prover.js';
import { createIdentity, type PhoneIdentity } from '../phone-identity.js';
import { phoneProver } from './prover.js';

const asItIs = (secret: PhoneIdentity) => secret;
const work = { kind: 'verify', challenge: { nonce: 'n', timestamp: 1, tenantId: 't', environment: 'live' } };

test('loads the circuit at the first proof, once, and again after that failed', async () => {
  let loads = 0;
  const proofs = { proveVerify: async ({ did }: { did: string }) => did } as unknown as IdentityProver;
  const prover = phoneProver(
    async () => {
      loads += 1;
      if (loads === 1) throw new Error('no network');
      return proofs;
    },
    { seal: asItIs, open: asItIs },
  );
  const secret = await prover.create();
  const stages: string[] = [];
  const prove = () => prover.prove(secret, work as never, (stage) => stages.push(stage));
  await expect(prove()).rejects.toThrow('no network');
  expect(await Promise.all([prove(), prove()])).toEqual([secret.did, secret.did]);
  await prove();
  expect(loads).toBe(2);
  expect(stages.slice(0, 2)).toEqual(['loading', 'loading']);
  expect(stages.at(-1)).toBe('proving');
});

test('stores secrets as the phone does, and a new secret keeps its DID', async () => {
  const prover = phoneProver(async () => ({}) as IdentityProver, {
    seal: ({ did, commitment }) => ({ did, commitment, sealed: true }),
    open: () => createIdentity(),
  });
  const first = await prover.create();
  expect(first).toMatchObject({ sealed: true, did: expect.stringMatching(/^did:svc:/) });
  const next = await prover.renew(first as never);
  expect(next.did).toBe(first.did);
  expect(next.commitment).not.toBe(first.commitment);
});
