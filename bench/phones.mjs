// Adding a phone and rotating a secret, each with two proofs, compared with a verification on the same server in one run: one request after
// another, in turns. Needs a build. BENCH_PROOFS=<n> requests of each kind.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { addBind, boundSignal, didHash, joinBind, rotateBind, verifyBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { open } from './load.mjs';
import { bearer, call, SERVICE, signUp, withServer } from './servers.mjs';

const PROOFS = Number(process.env.BENCH_PROOFS ?? 60);
const WARM = Math.ceil(PROOFS / 6);
const PROMISED_RATIO = 2.2;

const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
const prove = ({ did, biometricSecret, salt }, bind) =>
  prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });

/** The requests of one person's phone, each to be used once, within five minutes. */
async function requestsOf(baseUrl, tenantId, headers) {
  const phone = createIdentity();
  const { did, commitment } = phone;
  await call(baseUrl, 'POST', '/v1/identity/register', headers, { did, commitment });
  const two = async (path, joining, bind, names) => {
    const use = { nonce: randomUUID(), timestamp: Date.now() };
    const bound = { tenantId, environment: 'live', nonce: use.nonce, timestampMs: use.timestamp };
    const own = await prove(
      phone,
      bind({ ...bound, newDid: joining.did, newCommitment: joining.commitment }),
    );
    const join = await prove(joining, joinBind({ ...bound, did, newCommitment: joining.commitment }));
    const { proof: newProof, publicSignals: newPublicSignals } = join;
    return { path, headers, body: { did, ...use, ...own, ...names(joining), newProof, newPublicSignals } };
  };
  const use = { nonce: randomUUID(), timestamp: Date.now() };
  const bind = verifyBind({ tenantId, environment: 'live', nonce: use.nonce, timestampMs: use.timestamp });
  const newCommitmentOf = ({ commitment: newCommitment }) => ({ newCommitment });
  return {
    verify: { path: '/v1/identity/verify', headers, body: { did, ...use, ...(await prove(phone, bind)) } },
    add: await two('/v1/identity/add', createIdentity(), addBind, (joining) => ({
      newDid: joining.did,
      ...newCommitmentOf(joining),
    })),
    rotate: await two('/v1/identity/rotate', { ...createIdentity(), did }, rotateBind, newCommitmentOf),
  };
}

const median = (times) => [...times].sort((left, right) => left - right)[times.length >> 1];

const postgres = await openPostgres({ embedded: false });
try {
  const times = await withServer(postgres, SERVICE, async (baseUrl) => {
    const { tenant, apiKey } = await signUp(baseUrl);
    const people = [];
    for (let n = 0; n < PROOFS + WARM; n++)
      people.push(await requestsOf(baseUrl, tenant.id, bearer(apiKey.key)));
    const client = await open(baseUrl);
    const measured = { verify: [], add: [], rotate: [] };
    for (const [n, requests] of people.entries())
      for (const name of ['verify', 'add', 'rotate']) {
        const sent = performance.now();
        const status = await client.send(requests[name]);
        if (status !== 200 && status !== 201) throw new Error(`${name} returned ${status}.`);
        if (n >= WARM) measured[name].push(performance.now() - sent);
      }
    client.close();
    return measured;
  });
  const verify = median(times.verify);
  console.log('Two proofs compared with one, medians of one request after another');
  for (const name of ['verify', 'add', 'rotate']) {
    const ms = median(times[name]);
    console.log(`  ${name.padEnd(8)} ${ms.toFixed(2)} ms  ${(ms / verify).toFixed(2)} ×`);
    if (ms / verify > PROMISED_RATIO) process.exitCode = 1;
  }
} finally {
  await postgres.close();
}
