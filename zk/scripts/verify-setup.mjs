// Checks the committed set-up from the circuit's source to the verification key, trusting only the compiler and snarkjs:
//
//   1. the circuit compiles to the committed r1cs and wasm, byte for byte;
//   2. every contribution of both phases is valid, and follows from the one before it;
//   3. each phase has a contribution of secret randomness and then ends with the beacon announced for it in circuit/beacon.json;
//   4. the committed vkey is the zkey's;
//   5. the manifest describes exactly these files.
//
// What no check can show is that a contributor forgot their randomness: that is what `contributors` stands for.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, differences } from './build-circuit.mjs';
import { finish, verificationKeyText, verifyPhase1, verifyPhase2 } from './ceremony-steps.mjs';
import { readManifest } from './manifest.mjs';
import { announcedBeacon, artifactsFolder, files, sha256File } from './paths.mjs';
import { phase1Contributions, phase2Contributions } from './transcript.mjs';

function fail(check, message) {
  throw Object.assign(new Error(message), { check });
}

/**
 * The phase's contributors, once it is sure that they come before one last, announced beacon.
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
 * @param {(line: string) => void} report gets a line for each check passed
 * @returns {Promise<{ phase1: string[], phase2: string[] }>} the contributors' names
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

  const phase1 = contributorsBeforeBeacon('Phase 1', phase1Contributions(ptau), announcedBeacon(1));
  const phase2 = contributorsBeforeBeacon('Phase 2', phase2Contributions(zkey), announcedBeacon(2));
  report(`each phase ends with its announced beacon (${announcedBeacon(2).source})`);

  if ((await verificationKeyText(zkey)) !== readFileSync(artifactsFolder + files.vkey, 'utf8')) {
    fail('vkey', 'The committed vkey is not the one of the zkey.');
  }
  report('the vkey comes from the zkey');

  const manifest = readManifest();
  for (const { name, sha256 } of Object.values(manifest.files)) {
    if (sha256File(artifactsFolder + name) !== sha256)
      fail('manifest', `The manifest has another SHA-256 for ${name}.`);
  }
  if (manifest.setup.contributors !== Math.min(phase1.length, phase2.length)) {
    fail('manifest', 'The manifest counts other contributors than the transcript.');
  }
  report(
    `the manifest is right: ${manifest.setup.kind}, ${manifest.setup.contributors} contributor(s) a phase`,
  );
  return { phase1, phase2 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await verifySetup((line) => console.log(`ok  ${line}`));
  } catch (error) {
    console.error(`FAILED (${error.check ?? 'verification'}): ${error.message}`);
    process.exitCode = 1;
  } finally {
    await finish();
  }
}
