// A set-up with several contributors, one step at a time. Contributors pass on a folder with the files phase1-0000.ptau,
// phase1-0001.ptau, … and phase2-0000.zkey, …. Each step reads the newest file of its phase and writes the next.
//
//   node zk/scripts/ceremony.mjs start <folder> [<file.ptau>]            the coordinator, once circuit/beacon.json names future events
//   node zk/scripts/ceremony.mjs contribute <folder> <name> <address>    every contributor, on their own machine
//   node zk/scripts/ceremony.mjs check <folder>                          anyone, at any time: every contribution so far
//   node zk/scripts/ceremony.mjs beacon <folder>                         the coordinator, after the event: closes phase 1, later phase 2
//
// The address is where the contributor publishes their statement. Phase 1 is skipped if circuit/beacon.json announces the
// SHA-256 of a public powers-of-tau file. Closing phase 2 writes zk/artifacts/. The keys are secure if at least one
// contributor in each phase discarded their randomness.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './build-circuit.mjs';
import * as steps from './ceremony-steps.mjs';
import { announcedPowersOfTau, artifactsFolder, files, sha256File, statementsFile } from './paths.mjs';
import {
  countContributors,
  matchStatements,
  notEstablished,
  readStatements,
  requireStatement,
  sentence,
  writeStatement,
} from './statements.mjs';
import { phase1Contributions, phase2Contributions } from './transcript.mjs';
import { ownPhase1 } from './verify-setup.mjs';

const FINAL_PTAU = 'phase1-final.ptau';

let compiled;
/** What a ceremony reads from the repository and writes to it. Tests replace parts. */
const repository = {
  r1cs: () => {
    compiled ??= compile();
    return compiled.r1cs;
  },
  powersOfTau: announcedPowersOfTau,
  publish: publishArtifacts,
};

/** The state of a ceremony: its phase, its newest file, and the name of the next one. */
function state(folder) {
  const phase = existsSync(join(folder, FINAL_PTAU)) ? 2 : 1;
  const extension = phase === 1 ? 'ptau' : 'zkey';
  const pattern = new RegExp(`^phase${phase}-(\\d{4})\\.${extension}$`);
  const numbers = readdirSync(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  const last = Math.max(...numbers.map(Number));
  const file = (number) => join(folder, `phase${phase}-${String(number).padStart(4, '0')}.${extension}`);
  if (!Number.isFinite(last)) throw new Error(`${folder} contains no ceremony. Run start first.`);
  return { phase, newest: file(last), next: file(last + 1), count: last, ptau: join(folder, FINAL_PTAU) };
}

const r1csOf = (folder) => join(folder, files.r1cs);
const contributionsOf = (phase, file) =>
  phase === 1 ? phase1Contributions(file) : phase2Contributions(file);

/** Opens phase 1 for the repository's circuit, or phase 2 on an announced public powers-of-tau file. */
export async function start(folder, ptau, { r1cs, powersOfTau } = repository) {
  const announced = powersOfTau();
  if ((announced === undefined) !== (ptau === undefined))
    throw new Error(
      announced === undefined
        ? 'circuit/beacon.json announces a beacon for phase 1, not a public powers-of-tau file.'
        : `circuit/beacon.json announces a public powers-of-tau file: ${announced.source}. Pass it as the argument after the folder.`,
    );
  if (announced !== undefined && sha256File(ptau) !== announced.sha256)
    throw new Error(`${ptau} does not have the announced SHA-256.`);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  writeFileSync(r1csOf(folder), r1cs());
  if (ptau === undefined) return steps.startPhase1(join(folder, 'phase1-0000.ptau'));
  await steps.verifyPhase1(ptau);
  copyFileSync(ptau, join(folder, FINAL_PTAU));
  await steps.startPhase2(r1csOf(folder), ptau, join(folder, 'phase2-0000.zkey'));
}

/**
 * Checks the earlier contributions, then adds one of fresh randomness to the current phase, with its statement.
 * @param {string} published where the contributor publishes the statement
 * @returns {Promise<string>} the text to publish there
 */
export async function contribute(folder, name, published, from = repository) {
  requireStatement(name, published);
  const { phase, newest, next } = state(folder);
  await check(folder, from);
  await (phase === 1 ? steps.contributePhase1 : steps.contributePhase2)(newest, next, name);
  const { hash } = contributionsOf(phase, next).at(-1);
  const statement = { phase, name, contribution: hash, published };
  writeStatement(next.replace(/\.\w+$/, '.statement.json'), statement);
  return sentence(statement);
}

/**
 * Verifies the circuit and every contribution so far.
 * @returns {Promise<{ contributors: string[], notCounted: string[], counted: object[] }>} contributors to the current phase
 *   with a statement, contributions that don't count, and statements that count
 */
export async function check(folder, { r1cs, powersOfTau } = repository) {
  const { phase, newest, count, ptau } = state(folder);
  if (!readFileSync(r1csOf(folder)).equals(r1cs()))
    throw new Error(`${files.r1cs} in ${folder} is not what the circuit of this repository compiles to.`);
  const statements = readStatements(folder);
  const matches = [];
  if (phase === 2) {
    const phase1 = ownPhase1(ptau, powersOfTau());
    await steps.verifyPhase1(ptau);
    if (phase1 !== undefined) matches.push(matchStatements(1, phase1, statements));
    await steps.verifyPhase2(r1csOf(folder), ptau, newest);
  } else if (count > 0) {
    // A new accumulator has nothing to verify, and snarkjs rejects it.
    await steps.verifyPhase1(newest);
  }
  const contributions = count > 0 ? contributionsOf(phase, newest) : [];
  matches.push(matchStatements(phase, contributions, statements));
  return {
    contributors: matches.at(-1).counted.map(({ name }) => name),
    counted: matches.flatMap(({ counted }) => counted),
    notCounted: matches.flatMap(({ notCounted }) => notCounted),
  };
}

/** Closes the current phase with the announced beacon, then opens phase 2 or publishes the artifacts. */
export async function beacon(folder, from = repository) {
  const { phase, newest, next, ptau } = state(folder);
  const { contributors } = await check(folder, from);
  if (contributors.length === 0)
    throw new Error(
      `Phase ${phase} has no contribution with a statement yet, so nobody has attested that its secret was discarded.`,
    );
  if (phase === 1) {
    await steps.closePhase1(newest, ptau);
    await steps.startPhase2(r1csOf(folder), ptau, join(folder, 'phase2-0000.zkey'));
    return;
  }
  await steps.closePhase2(newest, next);
  await steps.verifyPhase2(r1csOf(folder), ptau, next);
  const statements = readStatements(folder);
  const phase1 = ownPhase1(ptau, from.powersOfTau());
  const counts = countContributors(phase1, phase2Contributions(next), statements);
  await from.publish({ ptau, zkey: next, statements: counts.counted, contributors: counts.contributors });
}

async function publishArtifacts({ ptau, zkey, statements, contributors }) {
  const { r1cs, wasm } = compile();
  writeFileSync(artifactsFolder + files.r1cs, r1cs);
  writeFileSync(artifactsFolder + files.wasm, wasm);
  copyFileSync(ptau, artifactsFolder + files.ptau);
  copyFileSync(zkey, artifactsFolder + files.zkey);
  writeFileSync(statementsFile, `${JSON.stringify(statements, null, 2)}\n`);
  await steps.publish({ kind: 'ceremony', contributors });
  console.log('Written: zk/artifacts. Pin it with `node zk/scripts/pin-setup.mjs`.');
}

/** Formats the result of a check. */
const report = ({ contributors, counted, notCounted }) =>
  [
    'The circuit of this repository compiles to the constraints of the ceremony, and every contribution is valid.',
    `Contributors to the current phase, each with a statement: ${contributors.join(', ') || 'none yet'}.`,
    ...notCounted.map((line) => `Not counted: ${line}`),
    ...notEstablished(counted),
  ].join('\n');

const commands = {
  start: (folder, ptau) => start(folder, ptau),
  contribute: async (folder, name, address) =>
    `Done. Publish this at ${address}:\n\n  ${await contribute(folder, name, address)}`,
  check: async (folder) => report(await check(folder)),
  beacon: (folder) => beacon(folder),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, folder, ...rest] = process.argv.slice(2);
  if (!Object.hasOwn(commands, command ?? '') || folder === undefined) {
    console.error(
      'Usage: node zk/scripts/ceremony.mjs start <folder> [<file.ptau>] | contribute <folder> <name> <address> | check <folder> | beacon <folder>',
    );
    process.exitCode = 2;
  } else {
    try {
      console.log((await commands[command](folder, ...rest)) ?? 'Done.');
    } finally {
      await steps.finish();
    }
  }
}
