// Writes zk/test-vectors.json, for testing clients in any language. It computes the encodings with node:crypto and the Grain
// constants, not with the code under test. snarkjs creates the proof, which is random, so an existing one is reused unless
// `--new-proof` is given.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as snarkjs from 'snarkjs';
import { artifactsFolder, files } from './paths.mjs';
import { FIELD, FULL_ROUNDS, PARTIAL_ROUNDS, poseidonConstants } from './poseidon-grain.mjs';

const out = fileURLToPath(new URL('../test-vectors.json', import.meta.url));

/** Poseidon as the paper defines it, from the generated constants. */
export function referencePoseidon(inputs) {
  const t = inputs.length + 1;
  const { roundConstants, mds } = poseidonConstants(t);
  const rounds = FULL_ROUNDS + PARTIAL_ROUNDS[t];
  let state = [0n, ...inputs];
  for (let round = 0; round < rounds; round++) {
    const full = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + PARTIAL_ROUNDS[t];
    const boxed = state.map((element, i) => {
      const sum = (element + roundConstants[round * t + i]) % FIELD;
      return full || i === 0 ? sum ** 5n % FIELD : sum;
    });
    state = mds.map((row) => row.reduce((sum, factor, i) => sum + factor * boxed[i], 0n) % FIELD);
  }
  return state[0];
}

const field248 = (text) =>
  BigInt(`0x${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 62)}`);
const bind = (purpose, fields) => field248(`svc:bind:v1|${purpose}|${fields.join('|')}`);
const strings = (values) => values.map(String);

const tenantId = '5f0c2c1e-0d4b-4b7e-9d0a-6a6c9f2f7b11';
const sessionId = '0b9f4e62-7c8d-4f0e-8a3a-2f6b1d9c5e47';
const nonce = '9d2b7c54-1a3f-4c6e-8b90-d1e2f3a4b5c6';
const hexNonce = '0123456789abcdef'.repeat(4).slice(0, 62);
const witness = { biometricSecret: field248('example biometric secret'), salt: field248('example salt') };
const commitment = referencePoseidon([witness.biometricSecret, witness.salt]);
const commitmentHex = commitment.toString(16).padStart(64, '0');
const did = `did:svc:${createHash('sha256').update(commitmentHex).digest('hex')}`;
const verify = { tenantId, environment: 'live', nonce, timestampMs: 1767225600000 };
const verifyBind = bind('verify', Object.values(verify));
const bound = referencePoseidon([field248(did), verifyBind]);
const r = FIELD;

const pairing = { tenantId, environment: 'test', sessionId, nonce: hexNonce };
const newCommitment = referencePoseidon([field248('another secret'), field248('another salt')])
  .toString(16)
  .padStart(64, '0');
const newDid = `did:svc:${createHash('sha256').update(newCommitment).digest('hex')}`;
const recoveryId = '3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f';
const browserId = '5e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a8b';
const attendanceId = '6b7c8d9e-0f1a-4b2c-8d3e-4f5a6b7c8d9e';
const memberId = '8d9e0f1a-2b3c-4d5e-8f6a-7b8c9d0e1f2a';
const correctionId = '9e0f1a2b-3c4d-4e5f-8a7b-8c9d0e1f2a3b';
const pinHash = createHash('sha256').update('a PIN').digest('hex');
const aHash = createHash('sha256').update(Buffer.alloc(32, 7)).digest('hex');
/** The binds about a person's identities: after the use, each has the fields of its purpose in this order. */
const identityBinds = {
  addBind: ['add', { newDid, newCommitment }],
  joinBind: ['join', { did, newCommitment }],
  rotateBind: ['rotate', { newCommitment }],
  revokeBind: ['revoke', { revokedDid: newDid }],
  identitiesBind: ['identities', {}],
  contestBind: ['contest', { recoveryId }],
  rendezvousBind: ['rendezvous', { aHash }],
  inboxBind: ['inbox', {}],
  browsersBind: ['browsers', {}],
  forgetBrowserBind: ['forget-browser', { browserId }],
  attendanceListBind: ['attendance-list', { month: '2026-01' }],
  attendanceContestBind: ['attendance-contest', { attendanceId }],
  attendancePinBind: ['attendance-pin', { pinHash }],
  memberLinkBind: ['member-link', { memberId }],
};
const approvalId = '7a1b2c3d-4e5f-4a6b-9c8d-0e1f2a3b4c5d';
const digest = createHash('sha256').update('a statement').digest('hex');
const decision = { tenantId, environment: 'live', approvalId, digest, decidedAtMs: 1767225600000 };
const attendance = { tenantId, environment: 'live', nonce, digest };
const answer = { tenantId, environment: 'live', correctionId, digest, decidedAtMs: 1767225600000 };
const registration = { tenantId, environment: 'live', sessionId, challengeNonce: nonce };
const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const randomA = '07'.repeat(32);
/** The first hashes to a number of a million or more, the second to one that begins with zeros. */
const rendezvous = ['07', '11'].map((byte) => ({
  rendezvousId: sessionId,
  did,
  newDid,
  newCommitment,
  a: randomA,
  b: byte.repeat(32),
}));

function referenceDigits({ rendezvousId, did, newDid, newCommitment, a, b }) {
  const digest = createHash('sha256')
    .update(['svc-add-v1', rendezvousId, did, newDid, newCommitment, a, b].join('|'))
    .digest();
  const number = digest.readUInt32BE(0) >>> 12;
  return String(number % 1_000_000).padStart(6, '0');
}

async function wholeProof() {
  const inputs = {
    ...witness,
    commitment,
    didHash: bound,
    identityBinding: referencePoseidon([witness.biometricSecret, witness.salt, bound]),
  };
  const reuse = existsSync(out) && !process.argv.includes('--new-proof');
  const { proof, publicSignals } = reuse
    ? JSON.parse(readFileSync(out, 'utf8')).proof
    : await snarkjs.groth16.fullProve(inputs, artifactsFolder + files.wasm, artifactsFolder + files.zkey);
  const asText = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
  return { inputs: asText, did, bind: { purpose: 'verify', ...verify }, proof, publicSignals };
}

/** Everything but the proof. Deterministic. */
export function encodingVectors() {
  return {
    field248: ['', 'abc', 'Zürich – 東京', did].map((text) => ({ text, value: String(field248(text)) })),
    didHash: [did, `did:svc:${'0'.repeat(64)}`].map((text) => ({ did: text, value: String(field248(text)) })),
    verifyBind: [verify, { ...verify, environment: 'test', timestampMs: 0 }].map((fields) => ({
      fields,
      value: String(bind('verify', Object.values(fields))),
    })),
    pairingBind: [pairing, { ...pairing, matchCode: '07' }].map((fields) => ({
      fields,
      value: String(bind('pairing', Object.values(fields))),
    })),
    pairingDeclineBind: [{ fields: pairing, value: String(bind('pairing-decline', Object.values(pairing))) }],
    registrationBind: [
      { fields: registration, value: String(bind('registration', Object.values(registration))) },
    ],
    approveBind: [decision, { ...decision, matchCode: '07' }].map((fields) => ({
      fields,
      value: String(bind('approve', Object.values(fields))),
    })),
    approveDeclineBind: [
      decision,
      { ...decision, reason: 'not_me' },
      { ...decision, reason: 'mistake', matchCode: '07' },
    ].map((fields) => ({ fields, value: String(bind('approve-decline', Object.values(fields))) })),
    attendBind: [{ fields: attendance, value: String(bind('attend', Object.values(attendance))) }],
    correctBind: [{ fields: answer, value: String(bind('correct', Object.values(answer))) }],
    correctDeclineBind: [{ fields: answer, value: String(bind('correct-decline', Object.values(answer))) }],
    ...Object.fromEntries(
      Object.entries(identityBinds).map(([name, [purpose, own]]) => {
        const fields = { ...verify, ...own };
        return [name, [{ fields, value: String(bind(purpose, Object.values(fields))) }]];
      }),
    ),
    hashOfA: [{ a: randomA, value: aHash }],
    commitToOpening: rendezvous.map(({ newDid, newCommitment, b }) => ({
      fields: { newDid, newCommitment, b },
      value: sha256(`${newDid}|${newCommitment}|${b}`),
    })),
    additionDigits: rendezvous.map((fields) => ({ fields, value: referenceDigits(fields) })),
    boundSignal: [
      { didHash: String(field248(did)), bind: String(verifyBind), value: String(bound) },
      { didHash: '0', bind: String(r - 1n), value: String(referencePoseidon([0n, r - 1n])) },
    ],
    poseidon: [
      [0n, 0n],
      [1n, 2n],
      [r - 1n, r - 1n],
      [0n, 0n, 0n],
      [1n, 2n, 3n],
      [r - 1n, 0n, 1n],
    ].map((inputs) => ({
      inputs: strings(inputs),
      value: String(referencePoseidon(inputs)),
    })),
    commitment: [0n, 1n, commitment, r - 1n].map((value) => ({
      decimal: String(value),
      hex: value.toString(16).padStart(64, '0'),
    })),
    commitmentRejected: [
      r.toString(16).padStart(64, '0'),
      'f'.repeat(64),
      '1'.repeat(63),
      '1'.repeat(65),
      ` ${'1'.repeat(63)}`,
      `${'1'.repeat(63)}g`,
      '',
    ],
    did: [{ commitment: commitmentHex, did }],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const vectors = {
    about:
      'Vectors for docs/proofs.md. Numbers are decimal strings. Written by zk/scripts/generate-test-vectors.mjs.',
    circuitVersion: '1.2',
    fields: {
      q: '21888242871839275222246405745257275088696311157297823662689037894645226208583',
      r: String(r),
    },
    ...encodingVectors(),
    proof: await wholeProof(),
  };
  writeFileSync(out, `${JSON.stringify(vectors, null, 2)}\n`);
  await (await snarkjs.curves.getCurveFromName('bn128')).terminate();
}
