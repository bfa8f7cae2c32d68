// The prover's circuits, to be embedded in the code: the pinned hashes of their files, and the verification key.

/**
 * The text of zk/src/generated/circuits.ts.
 * @param {string} banner
 * @param {{ circuit: string, circuitVersion: string, hashes: { wasm: string, zkey: string }, vkey: object }} pinnedKey
 */
export function circuitPins(banner, { circuit, circuitVersion, hashes, vkey }) {
  const entry = { circuit, circuitVersion, wasmSha256: hashes.wasm, zkeySha256: hashes.zkey, vkey };
  return [
    `// ${banner}`,
    `import type { VerificationKey } from '../verifier/verification-key.js';\n`,
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

/**
 * The text of zk/src/generated/known-proof.ts: the published proof, parsed.
 * @param {string} banner
 * @param {object} proof
 */
export function knownProof(banner, proof) {
  return [
    `// ${banner}`,
    `import type { ParsedProof } from '../verifier/proof.js';\n`,
    '/** The proof of zk/test-vectors.json, which is valid for the first circuit. */',
    `export const KNOWN_PROOF: ParsedProof = ${literal(proof)};\n`,
  ].join('\n');
}

/** JSON, with big integers as literals. */
function literal(/** @type {unknown} */ value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part), 2);
  return text.replace(/"([0-9]+n)"/g, '$1');
}
