// What a person's phone does with a proof, compared with a verification on the same server in one run: a verification with an assertion by
// the phone's passkey, adding a phone and rotating a secret, which need two proofs, and an approval. One request after another, in turns.
// Needs a build. BENCH_PROOFS=<n> of each kind.
import { randomUUID } from 'node:crypto';
import { createPasskey, usePasskey } from '../../cli/dist/phone/passkey/authenticator.js';
import { assertionDigest, attachedHash, enrolmentDigest } from '../../zk/dist/attestation.js';
import { addBind, approveBind, attestBind, joinBind, rotateBind, verifyBind } from '../../zk/dist/field.js';
import { createIdentity } from '../../zk/dist/phone.js';
import { createPhoneProver, median, row, size, withService } from '../harness.mjs';
import { bearer, call, signUp } from '../servers.mjs';

const PROOFS = size('PROOFS', 60);
const WARM = Math.ceil(PROOFS / 6);
/** The lowest ratio of a verification's time to the act's. */
const PROMISED = { attested: 0.8, add: 0.45, rotate: 0.45, approval: 0.5 };
/** Where the passkey is used. The server runs at another address. */
const PAGE = { origin: 'http://localhost:3000', rpId: 'localhost' };
const ACTION = {
  title: 'Pay an invoice',
  fields: [
    { label: 'To', value: 'Müller & Söhne GmbH' },
    { label: 'Amount', value: '€1,200.50' },
  ],
};

const prove = await createPhoneProver();

async function makeAccount(baseUrl) {
  const { token, tenant, apiKey } = await signUp(baseUrl);
  const scopes = ['approvals:read', 'approvals:write', 'approvals:consume'];
  const wanted = { name: 'Approvals', environment: 'live', scopes };
  const created = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), wanted);
  return {
    own: bearer(apiKey.key),
    approving: bearer(created.apiKey.key),
    place: { tenantId: tenant.id, environment: 'live' },
  };
}

const freshUse = () => ({ nonce: randomUUID(), timestamp: Date.now() });
const bound = (place, { nonce, timestamp }) => ({ ...place, nonce, timestampMs: timestamp });

/** Enrols a passkey for a phone. Returns what signs a proof with it. */
async function enrol(baseUrl, { own, place }, phone) {
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

/** The acts of a new person. Each prepares its proofs and returns the requests to time. */
async function actsOf(baseUrl, account) {
  const { own, approving, place } = account;
  const phone = createIdentity();
  const { did, commitment } = phone;
  const { userId } = await call(baseUrl, 'POST', '/v1/identity/register', own, { did, commitment });
  const sign = await enrol(baseUrl, account, phone);

  const verification = async (extra = () => ({})) => {
    const use = freshUse();
    const proved = await prove(phone, verifyBind(bound(place, use)));
    const body = { did, ...use, ...proved, ...extra(proved, use.nonce) };
    return () => call(baseUrl, 'POST', '/v1/identity/verify', own, body);
  };
  const twoProofs = async (path, joining, bind, names) => {
    const use = freshUse();
    const known = bound(place, use);
    const { did: newDid, commitment: newCommitment } = joining;
    const proved = await prove(phone, bind({ ...known, newDid, newCommitment }));
    const joined = await prove(joining, joinBind({ ...known, did, newCommitment }));
    const theirs = { newProof: joined.proof, newPublicSignals: joined.publicSignals };
    const body = { did, ...use, ...proved, newCommitment, ...names, ...theirs };
    return () => call(baseUrl, 'POST', path, own, body);
  };
  const joining = createIdentity();
  return {
    verify: () => verification(),
    attested: () => verification((proved, nonce) => ({ attestation: sign(proved, nonce) })),
    add: () => twoProofs('/v1/identity/add', joining, addBind, { newDid: joining.did }),
    approval: async () => {
      const asked = { approvers: [userId], action: ACTION };
      const began = performance.now();
      const { approval } = await call(baseUrl, 'POST', '/v1/approvals', approving, asked);
      const asking = performance.now() - began;
      const { id, digest } = approval;
      const decidedAt = Date.now();
      const bind = approveBind({ ...place, approvalId: id, digest, decidedAtMs: decidedAt });
      const body = { did, decision: 'approve', digest, decidedAt, ...(await prove(phone, bind)) };
      const decide = () => call(baseUrl, 'POST', `/v1/phone/approvals/${id}/decide`, {}, body);
      return Object.assign(decide, { before: asking });
    },
    // The last, because it replaces the secret.
    rotate: () => twoProofs('/v1/identity/rotate', { ...createIdentity(), did }, rotateBind, {}),
  };
}

const times = await withService(
  async (baseUrl) => {
    const account = await makeAccount(baseUrl);
    const measured = { verify: [], attested: [], add: [], approval: [], rotate: [] };
    for (let n = 0; n < PROOFS + WARM; n++) {
      const acts = await actsOf(baseUrl, account);
      for (const [name, prepare] of Object.entries(acts)) {
        const send = await prepare();
        const sent = performance.now();
        await send();
        if (n >= WARM) measured[name].push((send.before ?? 0) + performance.now() - sent);
      }
    }
    return measured;
  },
  { BASE_URL: PAGE.origin },
);
const verify = median(times.verify);
console.log('Medians in ms, one request after another, compared with a verification');
const rows = Object.entries(PROMISED).map(([name, promised]) => {
  const ms = median(times[name]);
  if (verify / ms < promised) process.exitCode = 1;
  return { ...row(name, ms, 'a verification', verify, verify / ms), promised };
});
console.table(rows);
process.exit();
