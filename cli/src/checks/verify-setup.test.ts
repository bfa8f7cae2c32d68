import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactFiles, artifactsFolder } from '@svc/zk/setup/artifacts';
import { PINNED_SETUPS } from '@svc/zk/setup/pinned-setups';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifactChecks } from './verify-setup.js';

describe('svc zk verify-setup', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-artifacts-'));
    cpSync(artifactsFolder, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = (role: keyof typeof artifactFiles) => join(folder, artifactFiles[role]);
  const found = async () => (await artifactChecks(folder)).map(({ name, status }) => `${name} ${status}`);
  /** Changes a file together with the manifest and the pin. */
  const rewrite = (role: 'zkey', bytes: Buffer) => {
    writeFileSync(path(role), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const manifest = JSON.parse(readFileSync(path('manifest'), 'utf8'));
    manifest.files[role].sha256 = sha256;
    writeFileSync(path('manifest'), JSON.stringify(manifest));
    return PINNED_SETUPS.map((pin) => ({ ...pin, sha256: { ...pin.sha256, [role]: sha256 } }));
  };

  it('accepts the committed keys: pin, hashes, agreement and a proof', async () => {
    expect(await found()).toEqual(['pin ok', 'hashes ok', 'keys ok', 'proof ok']);
  });

  it('rejects another verification key before it uses the key', async () => {
    writeFileSync(path('vkey'), readFileSync(path('vkey'), 'utf8').replace('"nPublic": 3', '"nPublic":  3'));
    expect(await found()).toEqual(['pin fail']);
  });

  it('reports a file that does not have the pinned hash', async () => {
    writeFileSync(path('r1cs'), Buffer.concat([readFileSync(path('r1cs')), Buffer.from([0])]));
    expect(await found()).toEqual(['pin ok', 'hashes fail', 'keys ok', 'proof ok']);
    rmSync(path('r1cs'));
    expect(await found()).toContain('hashes fail');
  });

  it('reports a proving key from another set-up, even if manifest and pin name it', async () => {
    const zkey = readFileSync(path('zkey'));
    // Swaps γ and δ, which are both points of the right group.
    const header = zkey.indexOf(Buffer.from([2, 0, 0, 0]), 12) + 12;
    const gamma = header + 84 + 2 * 64 + 128;
    const delta = gamma + 128 + 64;
    const swapped = Buffer.from(zkey);
    zkey.copy(swapped, gamma, delta, delta + 128);
    zkey.copy(swapped, delta, gamma, gamma + 128);
    const checks = await artifactChecks(folder, rewrite('zkey', swapped));
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'pin ok',
      'hashes ok',
      'keys fail',
      'proof fail',
    ]);
    expect(checks[2]?.detail).toContain('another γ');
  });
});
