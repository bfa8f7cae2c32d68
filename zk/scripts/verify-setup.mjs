// Verifies the committed set-up from the circuit's source to the verification key. Trusts only the compiler and snarkjs:
//
//   1. the circuit compiles to the committed r1cs and wasm, byte for byte;
//   2. every contribution of both phases is valid, and follows from the one before it;
//   3. each phase has a contribution of secret randomness and then ends with the beacon announced for it in circuit/beacon.json;
//   4. the committed vkey belongs to the zkey;
//   5. the manifest describes exactly these files, and its number of contributors matches the statements (statements.json).
//
// Phase 1 may also be a public powers-of-tau file whose SHA-256 circuit/beacon.json announces. Its contributors are not
// counted. Prints at the end what a program cannot verify.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, differences } from './build-circuit.mjs';
import { finish, verificationKeyText, verifyPhase1, verifyPhase2 } from './ceremony-steps.mjs';
import { readManifest } from './manifest.mjs';
import {
  announcedBeacon,
  announcedPowersOfTau,
  artifactsFolder,
  files,
  sha256File,
  statementsFile,
} from './paths.mjs';
import { countContributors, notEstablished } from './statements.mjs';
import { phase1Contributions, phase2Contributions } from './transcript.mjs';

function fail(check, message) {
  throw Object.assign(new Error(message), { check });
}

/**
 * Checks that a phase ends with the announced beacon, and returns the contributors before it.
 * @throws Error with `check` 'contribution' or 'beacon'
 */
export function contributorsBeforeBeacon(phase, contributions, announced) {
  const people = contributions.slice(0, -1);
  const last = contributions.at(-1)?.beacon;
  if (people.length === 0 || people.some((entry) => entry.beacon !== undefined)) {
    fail(
      'contribution',
      `${phase} needs contributions of secret randomness before its beacon, and only those.`,
    );
  }
  if (last?.value !== announced.value || last.iterationsExponent !== announced.iterationsExponent) {
    fail('beacon', `${phase} does not end with the announced beacon.`);
  }
  return people.map((entry) => entry.name);
}

/**
 * The contributions of phase 1 and its announced beacon; undefined if phase 1 is the announced public file.
 * @throws Error with `check` naming what failed
 */
export function ownPhase1(ptau, publicFile = announcedPowersOfTau()) {
  if (publicFile === undefined) {
    const contributions = phase1Contributions(ptau);
    contributorsBeforeBeacon('Phase 1', contributions, announcedBeacon(1));
    return contributions;
  }
  if (sha256File(ptau) !== publicFile.sha256)
    fail('beacon', `Phase 1 is not the announced public file: ${publicFile.source}.`);
  return undefined;
}

/**
 * @param {(line: string) => void} report receives a line for each passed check
 * @returns {Promise<string[]>} what could not be verified, as lines of text
 * @throws Error with `check` naming the first check that failed
 */
export async function verifySetup(report = () => undefined) {
  const [r1cs, zkey, ptau] = [files.r1cs, files.zkey, files.ptau].map((name) => artifactsFolder + name);

  const changed = differences(compile());
  if (changed.length > 0)
    fail('circuit', `The circuit does not compile to the committed ${changed.join(' and ')}.`);
  report('the circuit compiles to the committed r1cs and wasm');

  await verifyPhase1(ptau);
  await verifyPhase2(r1cs, ptau, zkey);
  report('every contribution of both phases is valid');

  const phase1 = ownPhase1(ptau);
  const phase2 = phase2Contributions(zkey);
  contributorsBeforeBeacon('Phase 2', phase2, announcedBeacon(2));
  report(
    phase1 === undefined
      ? `phase 1 is the announced public file, phase 2 ends with its announced beacon (${announcedBeacon(2).source})`
      : `each phase ends with its announced beacon (${announcedBeacon(2).source})`,
  );

  if ((await verificationKeyText(zkey)) !== readFileSync(artifactsFolder + files.vkey, 'utf8')) {
    fail('vkey', 'The committed vkey does not belong to the zkey.');
  }
  report('the vkey belongs to the zkey');

  const { setup, files: described } = readManifest();
  for (const { name, sha256 } of Object.values(described)) {
    if (sha256File(artifactsFolder + name) !== sha256)
      fail('manifest', `The manifest has a different SHA-256 for ${name}.`);
  }
  if (setup.kind === 'development') {
    if (setup.contributors !== 1) fail('manifest', 'A development set-up has one contributor.');
    report('the manifest is correct: development');
    return ['A development set-up: one party made every contribution and could forge proofs.'];
  }
  const statements = existsSync(statementsFile) ? JSON.parse(readFileSync(statementsFile, 'utf8')) : [];
  const { contributors, counted, notCounted } = countContributors(phase1, phase2, statements);
  if (setup.contributors !== contributors)
    fail(
      'manifest',
      `The manifest lists ${setup.contributors} contributors, but the statements show ${contributors}.`,
    );
  report(`the manifest is correct: ceremony, ${contributors} contributor(s) with a statement in each phase`);
  return [...notCounted, ...notEstablished(counted)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const open = await verifySetup((line) => console.log(`ok  ${line}`));
    console.log(open.join('\n'));
  } catch (error) {
    console.error(`FAILED (${error.check ?? 'verification'}): ${error.message}`);
    process.exitCode = 1;
  } finally {
    await finish();
  }
}
