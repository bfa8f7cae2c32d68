// Proofs: our verifier and prover compared with snarkjs and @noble/curves in one run, so that the ratios are meaningful on any
// machine. Needs a build: npm run build && node bench/scenarios/zk.mjs. ZK_BENCH_ROUNDS=<n> for more stable figures.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { bn254 } from '@noble/curves/bn254.js';
import * as snarkjs from 'snarkjs';
import { KernelUnusableError } from '../../zk/dist/kernel/kernel.js';
import { createProver } from '../../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder, loadPinnedKey } from '../../zk/dist/setup/artifacts.js';
import { createVerifier } from '../../zk/dist/verifier/create-verifier.js';
import { createVerifierPool } from '../../zk/dist/verifier/pool.js';
import { parseProof } from '../../zk/dist/verifier/proof.js';
import { VERIFIER_KERNELS } from '../../zk/dist/verifier/verifier.js';
import { median } from '../harness.mjs';

const ROUNDS = Number(process.env.ZK_BENCH_ROUNDS ?? 60);
const read = (role) => readFileSync(artifactsFolder + artifactFiles[role]);
const [wasm, zkey] = [read('wasm'), read('zkey')];
const vkeyJson = JSON.parse(read('vkey').toString());
const key = loadPinnedKey();
const { vkey } = key;
const { proof, publicSignals, inputs } = JSON.parse(
  readFileSync(new URL('../../zk/test-vectors.json', import.meta.url), 'utf8'),
).proof;
const secrets = {
  biometricSecret: BigInt(inputs.biometricSecret),
  salt: BigInt(inputs.salt),
  didHash: BigInt(inputs.didHash),
};

const BATCH = 64;

/** Consecutive calls, so that each action is measured with its own code and data in the caches. */
const BURST = 5;

/** Medians in ms of several actions that alternate, so that other load on the machine affects all of them equally. */
async function measure(actions, rounds) {
  const times = actions.map(() => []);
  for (const action of actions) for (let i = 0; i < 3; i++) await action();
  for (let round = 0; round < rounds; round += BURST) {
    for (const [i, action] of actions.entries()) {
      for (let call = 0; call < BURST; call++) {
        const started = performance.now();
        const verdict = await action();
        times[i].push(performance.now() - started);
        if (verdict === false)
          throw new Error('A valid proof was rejected, so the figures would mean nothing.');
      }
    }
  }
  return times.map(median);
}

const curve = (singleThread) => snarkjs.curves.getCurveFromName('bn128', { singleThread });
async function dropCurve() {
  await globalThis.curve_bn128?.terminate();
  globalThis.curve_bn128 = null;
}

function nobleVerifier() {
  const g1 = ([x, y]) => bn254.G1.Point.fromAffine({ x, y });
  const g2 = ([x, y]) => bn254.G2.Point.fromAffine({ x: { c0: x[0], c1: x[1] }, y: { c0: y[0], c1: y[1] } });
  const [gamma, delta, ic] = [g2(vkey.gamma), g2(vkey.delta), vkey.ic.map(g1)];
  const alphaBeta = bn254.pairing(g1(vkey.alpha), g2(vkey.beta));
  return ({ a, b, c, signals }) => {
    const points = [g1(a), g2(b), g1(c)];
    for (const point of points) point.assertValidity();
    const sum = signals.reduce((point, signal, i) => point.add(ic[i + 1].multiplyUnsafe(signal)), ic[0]);
    const product = bn254.pairingBatch([
      { g1: points[0], g2: points[1] },
      { g1: sum.negate(), g2: gamma },
      { g1: points[2].negate(), g2: delta },
    ]);
    return bn254.fields.Fp12.eql(product, alphaBeta);
  };
}

const rows = [];
const row = (what, ours, yardstick, theirs) =>
  rows.push({
    what,
    ours: ours.toFixed(2),
    yardstick,
    theirs: theirs.toFixed(2),
    ratio: (theirs / ours).toFixed(2),
  });

/** The verifiers that this Node can run, by what verifies in them, fastest first: the first is the default. */
const verifiers = new Map();
for (const name of VERIFIER_KERNELS) {
  try {
    verifiers.set(name, await createVerifier(vkey, name));
  } catch (error) {
    if (!(error instanceof KernelUnusableError)) throw error;
    console.log(error.message);
  }
}
const batch = Array.from({ length: BATCH }, () => parseProof(proof, publicSignals).parsed);
const singly = (verifier) => () => verifier.verify(parseProof(proof, publicSignals).parsed);
const together = (verifier) => () => verifier.verifyBatch(batch).every(Boolean);

const verifier = await createVerifier(vkey);
const ours = singly(verifier);
const noble = nobleVerifier();
const theirs = () => snarkjs.groth16.verify(vkeyJson, publicSignals, proof);

const cached = 'snarkjs, cached single-thread curve';
await dropCurve();
await curve(true);
for (const [what, actionOf, rounds, count] of [
  ['verify', singly, ROUNDS, 1],
  [`verify, ${BATCH} in a batch, each`, together, Math.max(BURST, ROUNDS / 4), BATCH],
]) {
  const actions = [...verifiers.values()].map(actionOf);
  const times = await measure([...actions, theirs], rounds);
  for (const [i, name] of [...verifiers.keys()].entries())
    row(`${what}: ${name}`, times[i] / count, cached, times[actions.length]);
}
await dropCurve();
await curve(false);
const [own, usual] = await measure([ours, theirs], ROUNDS);
row(`verify: ${verifier.kernel}`, own, 'snarkjs, as usually called', usual);
const [whole, beside] = await measure([together(verifier), theirs], Math.max(BURST, ROUNDS / 4));
row(
  `verify, ${BATCH} in a batch, each: ${verifier.kernel}`,
  whole / BATCH,
  'snarkjs, as usually called',
  beside,
);
await dropCurve();
const [own3, strict] = await measure([ours, () => noble(parseProof(proof, publicSignals).parsed)], ROUNDS);
row(`verify: ${verifier.kernel}`, own3, '@noble/curves, same checks', strict);

const pool = await createVerifierPool({ key, workers: 1, queueLimit: 4 });
const pooled = async () => pool.reserve({ name: 'bench' }).verify(parseProof(proof, publicSignals).parsed);
const [direct, throughPool] = await measure([ours, pooled], ROUNDS);
await pool.close();

const prover = await createProver({ wasm, zkey });
const prove = () => prover.prove(secrets);
const mem = (data) => ({ type: 'mem', data });
const fullProve = (options) =>
  snarkjs.groth16.fullProve(inputs, mem(wasm), mem(zkey), undefined, undefined, options);
await dropCurve();
const proofRounds = Math.max(3, Math.round(ROUNDS / 6));
const [proving, single] = await measure([prove, () => fullProve({ singleThread: true })], proofRounds);
row('prove', proving, 'snarkjs fullProve { singleThread }', single);
await dropCurve();
const [proving2, threads] = await measure([prove, () => fullProve()], proofRounds);
row('prove', proving2, `snarkjs fullProve, ${cpus().length} threads`, threads);
await dropCurve();

console.log(
  `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}, ${ROUNDS} rounds, medians in ms`,
);
console.table(rows);
console.log(
  `Through the worker pool: ${throughPool.toFixed(2)} ms, of which ${(throughPool - direct).toFixed(2)} ms are the way there and back.`,
);
process.exit(0);
