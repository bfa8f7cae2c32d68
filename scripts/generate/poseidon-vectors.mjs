// Writes docs/vectors/poseidon.json: the constants of the hash that a proof is bound with, for checkers in other languages.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../setup.mjs';

const { default: published } = createRequire(import.meta.url)(
  join(root, 'node_modules/poseidon-lite/constants/2.js'),
);
const hex = (/** @type {string} */ base64) => Buffer.from(base64, 'base64').toString('hex').padStart(64, '0');
const table = {
  about:
    'Poseidon of two elements of the scalar field of BN254 (t = 3, 8 full and 57 partial rounds, x^5, circomlib): the constants of the rounds and the matrix, in hex.',
  constants: published.C.map(hex),
  matrix: published.M.map((/** @type {string[]} */ row) => row.map(hex)),
};
writeFileSync(join(root, 'docs/vectors/poseidon.json'), `${JSON.stringify(table, null, 1)}\n`);
