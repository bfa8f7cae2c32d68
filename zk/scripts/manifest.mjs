// artifacts/manifest.json describes the artifacts: the tools that created them, their sizes and SHA-256.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { artifactsFolder, files, sha256File } from './paths.mjs';

const require = createRequire(import.meta.url);
const packageVersion = (name) =>
  JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;
/** snarkjs doesn't export its package.json. */
const snarkjsVersion = () =>
  JSON.parse(
    readFileSync(new URL('package.json', import.meta.resolve('snarkjs').replace(/[^/]*$/, '')), 'utf8'),
  ).version;

const file = `${artifactsFolder}manifest.json`;

/** @returns the parsed manifest */
export function readManifest() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes the manifest for the files in the artifacts folder. */
export function writeManifest(facts) {
  const manifest = {
    ...facts,
    curve: 'bn128',
    protocol: 'groth16',
    tools: { circom2: packageVersion('circom2'), snarkjs: snarkjsVersion(), optimisation: '--O2' },
    files: Object.fromEntries(
      Object.entries(files).map(([role, name]) => [
        role,
        { name, bytes: statSync(artifactsFolder + name).size, sha256: sha256File(artifactsFolder + name) },
      ]),
    ),
  };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
