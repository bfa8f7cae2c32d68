// The circuits that the prover runs, for the code to embed: the hashes of the committed files, and the verification key.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * The text of zk/src/generated/circuits.ts.
 * @param {string} banner
 * @param {readonly { readonly sha256: string }[]} pinnedVkeys the keys that somebody decided to trust
 * @param {(text: string) => object} parseVerificationKey
 * @throws Error when the files are not those of the manifest, or its verification key is not pinned
 */
export function circuitPins(banner, pinnedVkeys, parseVerificationKey) {
  const read = (/** @type {string} */ name) => readFileSync(join(root, 'zk/artifacts', name));
  const { circuit, circuitVersion, files } = JSON.parse(read('manifest.json').toString('utf8'));
  for (const { name, sha256 } of [files.wasm, files.zkey, files.vkey])
    if (createHash('sha256').update(read(name)).digest('hex') !== sha256)
      throw new Error(`zk/artifacts/${name} is not the file that manifest.json describes.`);
  if (!pinnedVkeys.some(({ sha256 }) => sha256 === files.vkey.sha256))
    throw new Error(`Pin the verification key ${files.vkey.sha256} first, if you trust its set-up.`);
  const entry = {
    circuit,
    circuitVersion,
    wasmSha256: files.wasm.sha256,
    zkeySha256: files.zkey.sha256,
    vkey: parseVerificationKey(read(files.vkey.name).toString('utf8')),
  };
  return [
    `// ${banner}`,
    `import type { VerificationKey } from '../verification-key.js';\n`,
    '/** The circuits that this build runs, by the SHA-256 of their files, with the keys that verify their proofs. */',
    'export const CIRCUITS: readonly {',
    '  readonly circuit: string;',
    '  readonly circuitVersion: string;',
    '  readonly wasmSha256: string;',
    '  readonly zkeySha256: string;',
    '  readonly vkey: VerificationKey;',
    `}[] = ${literal([entry])};\n`,
  ].join('\n');
}

/** JSON, but for big integers. */
function literal(/** @type {unknown} */ value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part), 2);
  return text.replace(/"([0-9]+n)"/g, '$1');
}
