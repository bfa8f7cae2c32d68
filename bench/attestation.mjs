// A verification with an assertion by the phone's passkey, compared with one without on the same server in one run, in turns. Needs a build.
// BENCH_PROOFS=<n> of each kind.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPasskey, usePasskey } from '../cli/dist/phone/passkey/authenticator.js';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { assertionDigest, attachedHash, enrolmentDigest } from '../zk/dist/attestation.js';
import { attestBind, boundSignal, didHash, verifyBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { bearer, call, SERVICE, signUp, withServer } from './servers.mjs';

const PROOFS = Number(process.env.BENCH_PROOFS ?? 60);
const WARM = Math.ceil(PROOFS / 6);
const PROMISED_RATIO = 0.8;
/** Where the passkey is used. The server runs at another address. */
const PAGE = { origin: 'http://localhost:3000', rpId: 'localhost' };

const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
const prove = ({ did, biometricSecret, salt }, bind) =>
  prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });

const median = (times) => [...times].sort((left, right) => left - right)[times.length >> 1];

async function timed(times, work) {
  const sent = performance.now();
  await work();
  times.push(performance.now() - sent);
}

/** Enrols a passkey for a phone. Returns what signs a proof with it. */
async function enrol(baseUrl, own, place, phone) {
  const { did } = phone;
  const { challenge } = await call(baseUrl, 'POST', '/v1/attestation/challenges', own, { did });
  const { passkey: made, ...creation } = createPasskey(PAGE);
  const shown = usePasskey(PAGE, made, enrolmentDigest({ ...place, challenge }));
  const evidence = { ...creation, assertion: shown.assertion };
  const bind = attestBind({ ...place, attachedHash: attachedHash(challenge, evidence) });
  const body = { did, challenge, platform: 'webauthn', evidence, ...(await prove(phone, bind)) };
  const { attestationKey } = await call(baseUrl, 'POST', '/v1/attestation/keys', own, body);
  return (proved, nonce) => {
    const digest = assertionDigest({ ...place, purpose: 'verify', subject: nonce, ...proved });
    return { keyId: attestationKey.id, assertion: usePasskey(PAGE, shown.passkey, digest).assertion };
  };
}

const postgres = await openPostgres({ embedded: false });
try {
  const server = { ...SERVICE, settings: { ...SERVICE.settings, BASE_URL: PAGE.origin } };
  const times = await withServer(postgres, server, async (baseUrl) => {
    const { tenant, apiKey } = await signUp(baseUrl);
    const own = bearer(apiKey.key);
    const place = { tenantId: tenant.id, environment: 'live' };
    const measured = { alone: [], attested: [] };
    for (let n = 0; n < PROOFS + WARM; n++) {
      if (n === WARM) for (const each of Object.values(measured)) each.length = 0;
      const phone = createIdentity();
      const { did, commitment } = phone;
      await call(baseUrl, 'POST', '/v1/identity/register', own, { did, commitment });
      const sign = await enrol(baseUrl, own, place, phone);
      for (const kind of n % 2 === 0 ? ['alone', 'attested'] : ['attested', 'alone']) {
        const use = { nonce: randomUUID(), timestamp: Date.now() };
        const bind = verifyBind({ ...place, nonce: use.nonce, timestampMs: use.timestamp });
        const proved = await prove(phone, bind);
        const attestation = kind === 'attested' ? { attestation: sign(proved, use.nonce) } : {};
        const body = { did, ...use, ...proved, ...attestation };
        await timed(measured[kind], () => call(baseUrl, 'POST', '/v1/identity/verify', own, body));
      }
    }
    return measured;
  });
  const [alone, attested] = [times.alone, times.attested].map(median);
  console.log(
    'A verification with an assertion, compared with one without: medians, one request after another',
  );
  console.log(`  alone     ${alone.toFixed(2)} ms`);
  console.log(`  attested  ${attested.toFixed(2)} ms`);
  const ratio = alone / attested;
  console.log(`  ratio     ${ratio.toFixed(2)}, promised ${PROMISED_RATIO}`);
  if (ratio < PROMISED_RATIO) process.exitCode = 1;
} finally {
  await postgres.close();
}
