// Compiles the circuit to r1cs and wasm. The compiler is deterministic, so anyone can reproduce the committed bytes.
// `--check` compares instead of writing. Tests and verify-setup import `compile`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { artifactsFolder, CIRCUIT, circuitFolder, files } from './paths.mjs';

const compiler = createRequire(import.meta.url).resolve('circom2/cli.js');

/**
 * Compiles one circom file with full linear simplification (`--O2`; without it the circuit has 1122 constraints).
 * @param {string} folder the file's folder, also searched for includes
 * @param {string} name file name without `.circom`
 * @returns {{ r1cs: Buffer, wasm: Buffer, log: string }}
 * @throws if the compiler rejects the circuit; the message contains its output
 */
export function compile(folder = circuitFolder, name = CIRCUIT) {
  const out = mkdtempSync(join(tmpdir(), 'circuit-'));
  try {
    // The compiler sees files through WASI, relative to its working directory.
    const log = execFileSync(
      process.execPath,
      [compiler, `${name}.circom`, '--r1cs', '--wasm', '--O2', '-o', out],
      {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );
    return {
      r1cs: readFileSync(join(out, `${name}.r1cs`)),
      wasm: readFileSync(join(out, `${name}_js`, `${name}.wasm`)),
      log,
    };
  } catch (error) {
    throw new Error(`circom rejected ${name}.circom:\n${error.stderr ?? ''}${error.stdout ?? error.message}`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The names of compiled artifacts that differ from the committed bytes. */
export function differences({ r1cs, wasm }) {
  const compiled = { r1cs, wasm };
  return Object.keys(compiled).filter(
    (key) => !compiled[key].equals(readFileSync(artifactsFolder + files[key])),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = compile();
  if (process.argv.includes('--check')) {
    const changed = differences(built);
    if (changed.length > 0)
      throw new Error(`The committed ${changed.join(' and ')} did not come from this circuit.`);
    console.log('The circuit compiles to the committed r1cs and wasm.');
  } else {
    writeFileSync(artifactsFolder + files.r1cs, built.r1cs);
    writeFileSync(artifactsFolder + files.wasm, built.wasm);
    console.log(built.log);
  }
}
