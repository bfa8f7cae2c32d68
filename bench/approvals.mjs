// Asking for an approval and deciding it, compared with a verification on the same server in one run: one after another, in turns. Needs a
// build. BENCH_PROOFS=<n> of each kind.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { approveBind, boundSignal, didHash, verifyBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { bearer, call, SERVICE, signUp, withServer } from './servers.mjs';

const PROOFS = Number(process.env.BENCH_PROOFS ?? 60);
const WARM = Math.ceil(PROOFS / 6);
const PROMISED_RATIO = 0.5;

const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
const prove = ({ did, biometricSecret, salt }, bind) =>
  prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });

const ACTION = {
  title: 'Pay an invoice',
  fields: [
    { label: 'To', value: 'Müller & Söhne GmbH' },
    { label: 'Amount', value: '€1,200.50' },
  ],
};

const median = (times) => [...times].sort((left, right) => left - right)[times.length >> 1];

async function timed(times, work) {
  const sent = performance.now();
  const result = await work();
  times.push(performance.now() - sent);
  return result;
}

const postgres = await openPostgres({ embedded: false });
try {
  const times = await withServer(postgres, SERVICE, async (baseUrl) => {
    const { token, tenant, apiKey } = await signUp(baseUrl);
    const scopes = ['approvals:read', 'approvals:write', 'approvals:consume'];
    const wanted = { name: 'Approvals', environment: 'live', scopes };
    const created = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), wanted);
    const [own, approving] = [bearer(apiKey.key), bearer(created.apiKey.key)];
    const place = { tenantId: tenant.id, environment: 'live' };
    const measured = { verify: [], create: [], decide: [] };
    for (let n = 0; n < PROOFS + WARM; n++) {
      if (n === WARM) for (const each of Object.values(measured)) each.length = 0;
      const phone = createIdentity();
      const { did, commitment } = phone;
      const { userId } = await call(baseUrl, 'POST', '/v1/identity/register', own, { did, commitment });
      const use = { nonce: randomUUID(), timestamp: Date.now() };
      const verified = await prove(
        phone,
        verifyBind({ ...place, nonce: use.nonce, timestampMs: use.timestamp }),
      );
      await timed(measured.verify, () =>
        call(baseUrl, 'POST', '/v1/identity/verify', own, { did, ...use, ...verified }),
      );
      const asked = { approvers: [userId], action: ACTION };
      const { approval } = await timed(measured.create, () =>
        call(baseUrl, 'POST', '/v1/approvals', approving, asked),
      );
      const { id, digest } = approval;
      const decidedAt = Date.now();
      const bind = approveBind({ ...place, approvalId: id, digest, decidedAtMs: decidedAt });
      const body = { did, decision: 'approve', digest, decidedAt, ...(await prove(phone, bind)) };
      await timed(measured.decide, () => call(baseUrl, 'POST', `/v1/phone/approvals/${id}/decide`, {}, body));
    }
    return measured;
  });
  const [verify, create, decide] = [times.verify, times.create, times.decide].map(median);
  const ratio = verify / (create + decide);
  console.log(
    'Asking for an approval and deciding it, compared with a verification: medians, one request after another',
  );
  for (const [name, ms] of Object.entries({ verify, create, decide }))
    console.log(`  ${name.padEnd(8)} ${ms.toFixed(2)} ms`);
  console.log(`  ${ratio.toFixed(2)} × a verification, promised ${PROMISED_RATIO}`);
  if (ratio < PROMISED_RATIO) process.exitCode = 1;
} finally {
  await postgres.close();
}
