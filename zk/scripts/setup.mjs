// The development set-up: one contribution of fresh randomness in each phase, then the announced beacon. A person who ran it
// could have stored that randomness and forge proofs, so use these keys for development only (see ceremony.mjs). Every run
// generates different keys. Pin them with pin-setup.mjs afterwards.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from './build-circuit.mjs';
import * as steps from './ceremony-steps.mjs';
import { artifactsFolder, files, statementsFile } from './paths.mjs';

const folder = mkdtempSync(join(tmpdir(), 'setup-'));
const at = (name) => join(folder, name);
try {
  mkdirSync(artifactsFolder, { recursive: true });
  const { r1cs, wasm } = compile();
  writeFileSync(artifactsFolder + files.r1cs, r1cs);
  writeFileSync(artifactsFolder + files.wasm, wasm);

  await steps.startPhase1(at('0.ptau'));
  await steps.contributePhase1(at('0.ptau'), at('1.ptau'), 'development');
  await steps.closePhase1(at('1.ptau'), artifactsFolder + files.ptau);

  await steps.startPhase2(artifactsFolder + files.r1cs, artifactsFolder + files.ptau, at('0.zkey'));
  await steps.contributePhase2(at('0.zkey'), at('1.zkey'), 'development');
  await steps.closePhase2(at('1.zkey'), artifactsFolder + files.zkey);
  await steps.verifyPhase2(
    artifactsFolder + files.r1cs,
    artifactsFolder + files.ptau,
    artifactsFolder + files.zkey,
  );

  rmSync(statementsFile, { force: true });
  await steps.publish({ kind: 'development', contributors: 1 });
  console.log('Written: zk/artifacts. Pin it with `node zk/scripts/pin-setup.mjs`.');
} finally {
  rmSync(folder, { recursive: true, force: true });
  await steps.finish();
}
