import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMismatch } from './key-agreement.js';
import { artifactFiles, artifactsFolder, loadPinnedKey } from './setup/artifacts.js';

describe('the proving and verification keys', () => {
  const zkey = new Uint8Array(readFileSync(join(artifactsFolder, artifactFiles.zkey)));
  const { vkey } = loadPinnedKey();
  const [ic0, ic1, ic2, ic3] = vkey.ic;

  it('match in the committed artifacts', () => {
    expect(findMismatch(zkey, vkey)).toBeUndefined();
  });

  it.each([
    ['α', { alpha: ic0 }],
    ['β', { beta: vkey.gamma }],
    ['γ', { gamma: vkey.delta }],
    ['δ', { delta: vkey.gamma }],
    ['IC[0]', { ic: [ic1, ic1, ic2, ic3] }],
    ['IC[3]', { ic: [ic0, ic1, ic2, ic0] }],
    ['α', { alpha: [vkey.alpha[0], vkey.alpha[1] + 1n] }],
  ] as const)('are reported as different in %s', (name, change) => {
    expect(findMismatch(zkey, { ...vkey, ...change } as typeof vkey)).toBe(name);
  });
});
