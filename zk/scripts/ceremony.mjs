// A set-up with several contributors, a step at a time. Files pass from hand to hand as <folder>/phase1-0000.ptau,
// phase1-0001.ptau, … and phase2-0000.zkey, …; each step takes the newest of its phase and writes the next.
//
//   node zk/scripts/ceremony.mjs start <folder>              the coordinator, once circuit/beacon.json names future events
//   node zk/scripts/ceremony.mjs contribute <folder> <name>  every contributor, on a machine of their own
//   node zk/scripts/ceremony.mjs check <folder>              anyone, at any time: every contribution so far
//   node zk/scripts/ceremony.mjs beacon <folder>             the coordinator, after the event: closes phase 1, later phase 2
//
// Closing phase 2 writes zk/artifacts/. One honest contributor in each phase, who forgets their randomness, suffices.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './build-circuit.mjs';
import * as steps from './ceremony-steps.mjs';
import { artifactsFolder, files } from './paths.mjs';
import { phase1Contributions, phase2Contributions } from './transcript.mjs';

const FINAL_PTAU = 'phase1-final.ptau';

/** Where a ceremony stands: its phase, its newest file, and the name of the next. */
function state(folder) {
  const phase = existsSync(join(folder, FINAL_PTAU)) ? 2 : 1;
  const extension = phase === 1 ? 'ptau' : 'zkey';
  const pattern = new RegExp(`^phase${phase}-(\\d{4})\\.${extension}$`);
  const numbers = readdirSync(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  const last = Math.max(...numbers.map(Number));
  const file = (number) => join(folder, `phase${phase}-${String(number).padStart(4, '0')}.${extension}`);
  if (!Number.isFinite(last)) throw new Error(`${folder} holds no ceremony: run start first.`);
  return { phase, newest: file(last), next: file(last + 1), count: last, ptau: join(folder, FINAL_PTAU) };
}

const r1csOf = (folder) => join(folder, files.r1cs);

/** Opens phase 1 for the circuit, compiled now unless its constraints are at hand. */
export async function start(folder, r1cs = compile().r1cs) {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  writeFileSync(r1csOf(folder), r1cs);
  await steps.startPhase1(join(folder, 'phase1-0000.ptau'));
}

/** Adds one contribution of fresh randomness to the current phase, after checking the ones before it. */
export async function contribute(folder, name) {
  if (!/^[\x20-\x7e]{1,64}$/.test(name ?? ''))
    throw new Error('A contributor needs a name of 1 to 64 ASCII characters.');
  const { phase, newest, next } = state(folder);
  await check(folder);
  await (phase === 1 ? steps.contributePhase1 : steps.contributePhase2)(newest, next, name);
}

/** Verifies every contribution so far. @returns {Promise<string[]>} the contributors of the current phase */
export async function check(folder) {
  const { phase, newest, count, ptau } = state(folder);
  if (phase === 2) {
    await steps.verifyPhase1(ptau);
    await steps.verifyPhase2(r1csOf(folder), ptau, newest);
    return phase2Contributions(newest).map((entry) => entry.name);
  }
  // The untouched accumulator has nothing to verify, and snarkjs refuses it.
  if (count > 0) await steps.verifyPhase1(newest);
  return count > 0 ? phase1Contributions(newest).map((entry) => entry.name) : [];
}

/** Closes the current phase with the announced beacon: opens phase 2, or publishes the artifacts. */
export async function beacon(folder, publish = publishArtifacts) {
  const { phase, newest, count, next, ptau } = state(folder);
  if (count === 0)
    throw new Error(`Phase ${phase} has no contribution yet: its beacon would be its only, public, secret.`);
  if (phase === 1) {
    await steps.closePhase1(newest, ptau);
    await steps.startPhase2(r1csOf(folder), ptau, join(folder, 'phase2-0000.zkey'));
    return;
  }
  await steps.closePhase2(newest, next);
  await steps.verifyPhase2(r1csOf(folder), ptau, next);
  await publish({ ptau, zkey: next });
}

async function publishArtifacts({ ptau, zkey }) {
  const { r1cs, wasm } = compile();
  writeFileSync(artifactsFolder + files.r1cs, r1cs);
  writeFileSync(artifactsFolder + files.wasm, wasm);
  copyFileSync(ptau, artifactsFolder + files.ptau);
  copyFileSync(zkey, artifactsFolder + files.zkey);
  await steps.publish('ceremony');
  console.log('Written: zk/artifacts. Pin it with `node zk/scripts/pin-setup.mjs`.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, folder, name] = process.argv.slice(2);
  const commands = { start: () => start(folder), contribute, check, beacon: () => beacon(folder) };
  if (!Object.hasOwn(commands, command ?? '') || folder === undefined) {
    console.error('Usage: node zk/scripts/ceremony.mjs start|contribute|check|beacon <folder> [name]');
    process.exitCode = 2;
  } else {
    try {
      const result = await commands[command](folder, name);
      console.log(
        Array.isArray(result) ? `Verified: ${result.join(', ') || 'no contribution yet'}.` : 'Done.',
      );
    } finally {
      await steps.finish();
    }
  }
}
