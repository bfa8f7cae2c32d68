// People, their proofs, and their verification requests.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didHash } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { bearer, call, signUp } from './servers.mjs';

const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));

/** People with one proof each, which may be used repeatedly, because the account's policy allows unbound proofs. */
export async function makePeople(count) {
  const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
  const people = [];
  for (let n = 0; n < count; n++) {
    const { did, commitment, biometricSecret, salt } = createIdentity();
    const proof = await prover.prove({ biometricSecret, salt, didHash: didHash(did) });
    people.push({ did, commitment, proof });
  }
  return people;
}

/** Creates an account for a person. Returns the key and what the person's verification requests have in common. */
export async function enroll(baseUrl, { did, commitment, proof }) {
  const { token, tenant, apiKey } = await signUp(baseUrl);
  await call(baseUrl, 'PUT', '/api/console/security-policy', bearer(token), {
    security_policy: { allow_unbound_proofs: true },
  });
  await call(baseUrl, 'POST', '/v1/identity/register', bearer(apiKey.key), { did, commitment });
  return { tenantId: tenant.id, headers: bearer(apiKey.key), body: { did, ...proof } };
}

export const verification = ({ headers, body }) => ({
  path: '/v1/identity/verify',
  headers,
  body: { ...body, nonce: randomUUID(), timestamp: Date.now() },
});
