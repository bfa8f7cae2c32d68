// Generates the verifier's Solidity from the pinned verification key, compiles both contracts, and returns the text of every
// generated file of this workspace. `npm run gen` writes and compares them. Production has no compiler and reads these files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import solc from 'solc';
import { keccak256 } from 'viem';
import { verifierSource } from './verifier-source.mjs';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** No metadata and the oldest EVM still in use, so the bytes and therefore the addresses are the same everywhere. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

/**
 * @param {string} banner
 * @param {string} vkeyFile
 * @returns {Record<string, string>} text by path in the repository
 */
export function chainFiles(banner, vkeyFile) {
  const vkey = readFileSync(vkeyFile);
  const sha256 = createHash('sha256').update(vkey).digest('hex');
  const verifier = verifierSource(JSON.parse(vkey.toString('utf8')), {
    sha256,
    circuit: 'identity_proof',
    banner,
  });
  const sources = {
    'AnchorHub.sol': { content: readFileSync(path('contracts/AnchorHub.sol'), 'utf8') },
    'Groth16Verifier.sol': { content: verifier },
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })),
  );
  const problems = (output.errors ?? []).map(({ formattedMessage }) => formattedMessage);
  if (problems.length > 0) throw new Error(`The contracts do not compile cleanly:\n${problems.join('\n')}`);
  const contract = (name) => {
    const { abi, evm } = output.contracts[`${name}.sol`][name];
    return {
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      codeHash: keccak256(`0x${evm.deployedBytecode.object}`),
    };
  };
  const constant = (name, value) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;
  return {
    'chain/contracts/Groth16Verifier.sol': verifier,
    'chain/src/generated/contracts.ts': [
      `// ${banner}`,
      constant('VKEY_SHA256', sha256),
      constant('anchorHub', contract('AnchorHub')),
      constant('groth16Verifier', contract('Groth16Verifier')),
    ].join('\n'),
  };
}
