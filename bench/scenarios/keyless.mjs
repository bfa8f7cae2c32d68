// A flood of pairing submits without API keys, from 10,000 addresses, beside a tenant that verifies with a key. The proofs of the flood
// are well-formed and bound to their session, so each reaches the verifier and is rejected there. Measures what the tenant's
// verifications take without and with the flood. Needs a build. BENCH_PROOFS=<n> verifications, BENCH_SESSIONS=<n> flooded sessions.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { boundSignal, didHash, pairingBind, verifyBind } from '../../zk/dist/field.js';
import { createIdentity } from '../../zk/dist/phone.js';
import { createPhoneProver, pause, percentiles, size, withService } from '../harness.mjs';
import { open } from '../load.mjs';
import { bearer, call, signUp } from '../servers.mjs';

const PROOFS = size('PROOFS', 300);
const SESSIONS = size('SESSIONS', 1_000);
const ADDRESSES = 10_000;
const ATTACKERS = 32;
/** The time between two verifications of the tenant. */
const PAUSE_MS = 20;
const PROMISED_RATIO = 2;

const prove = isMainThread && (await createPhoneProver());
const phone = createIdentity();
const proveFor = (bind) => prove(phone, bind);

/** Bodies for /v1/identity/verify, each to be used once, within five minutes. */
async function proveVerifications(tenantId, count = PROOFS) {
  const bodies = [];
  for (let n = 0; n < count; n++) {
    const use = { nonce: randomUUID(), timestamp: Date.now() };
    const bind = verifyBind({ tenantId, environment: 'live', nonce: use.nonce, timestampMs: use.timestamp });
    bodies.push({ did: phone.did, ...use, ...(await proveFor(bind)) });
  }
  return bodies;
}

/** The times of one verification after another. */
async function verifyAll(baseUrl, headers, bodies) {
  const client = await open(baseUrl);
  const times = [];
  for (const body of bodies) {
    const sent = performance.now();
    const status = await client.send({ path: '/v1/identity/verify', headers, body });
    if (status !== 200) throw new Error(`A verification returned ${status}.`);
    times.push(performance.now() - sent);
    await pause(PAUSE_MS);
  }
  client.close();
  return percentiles(times);
}

/** A submit of each session, with a proof that is bound to it and not valid. */
async function requestsOf({ tenantId, sessions }) {
  const { proof } = await proveFor(1n);
  return sessions.map(({ id, nonce }) => {
    const bind = pairingBind({ tenantId, environment: 'live', sessionId: id, nonce });
    const publicSignals = ['1', String(boundSignal(didHash(phone.did), bind)), '2'];
    return { path: `/v1/phone/pairing/${id}/submit`, body: { did: phone.did, proof, publicSignals } };
  });
}

/** Sends the requests again and again, and tells the number of responses by status when asked to stop. */
async function flood({ baseUrl, requests }) {
  let stopped = false;
  parentPort.once('message', () => {
    stopped = true;
  });
  const counts = {};
  let sent = 0;
  const attacker = async () => {
    const client = await open(baseUrl);
    while (!stopped) {
      const n = sent++;
      const host = n % ADDRESSES;
      const headers = { 'x-forwarded-for': `10.66.${host >> 8}.${host & 255}` };
      const status = await client.send({ ...requests[n % requests.length], headers });
      counts[status] = (counts[status] ?? 0) + 1;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attacker));
  parentPort.postMessage(counts);
}

// A thread of its own, so that sending the flood does not delay the tenant's client.
if (!isMainThread) {
  await flood(workerData);
  process.exit(0);
}

await withService(async (baseUrl) => {
  const make = async () => {
    const { tenant, apiKey } = await signUp(baseUrl);
    return { tenantId: tenant.id, headers: bearer(apiKey.key) };
  };
  const [tenant, flooded] = [await make(), await make()];
  const { did, commitment } = phone;
  await call(baseUrl, 'POST', '/v1/identity/register', tenant.headers, { did, commitment });
  const sessions = [];
  for (let n = 0; n < SESSIONS; n++)
    sessions.push((await call(baseUrl, 'POST', '/v1/proof-pairing/sessions', flooded.headers, {})).session);
  await verifyAll(baseUrl, tenant.headers, await proveVerifications(tenant.tenantId, 50));
  const alone = await verifyAll(baseUrl, tenant.headers, await proveVerifications(tenant.tenantId));
  const bodies = await proveVerifications(tenant.tenantId);
  const requests = await requestsOf({ tenantId: flooded.tenantId, sessions });
  const flooding = new Worker(new URL(import.meta.url), { workerData: { baseUrl, requests } });
  await pause(1_000);
  const started = performance.now();
  const beside = await verifyAll(baseUrl, tenant.headers, bodies);
  const seconds = (performance.now() - started) / 1000;
  flooding.postMessage('stop');
  const [counts] = await once(flooding, 'message');
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  console.log(
    `Flood: ${Math.round(total / (seconds + 1))} requests a second from ${ADDRESSES} addresses; responses by status:`,
    counts,
  );
  const row = (what, at) => ({
    what,
    alone: alone[at].toFixed(1),
    flooded: beside[at].toFixed(1),
    ratio: (beside[at] / alone[at]).toFixed(2),
    promised: at === 'p99' ? PROMISED_RATIO : '',
  });
  console.table([row('verification with a key, p50, ms', 'p50'), row('the same, p99, ms', 'p99')]);
});
process.exit(0);
