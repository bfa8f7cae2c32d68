import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactFiles, artifactsFolder } from '@svc/zk/artifacts';
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
  /** As somebody would who changes a file and knows that its hash is written beside it. */
  const rewrite = (role: 'zkey' | 'r1cs', bytes: Buffer) => {
    writeFileSync(path(role), bytes);
    const manifest = JSON.parse(readFileSync(path('manifest'), 'utf8'));
    manifest.files[role].sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(path('manifest'), JSON.stringify(manifest));
  };

  it('finds the committed keys whole: pin, hashes, agreement and a proof', async () => {
    expect(await found()).toEqual(['pin ok', 'hashes ok', 'keys ok', 'proof ok']);
  });

  it('finds another verification key before it trusts it with anything', async () => {
    writeFileSync(path('vkey'), readFileSync(path('vkey'), 'utf8').replace('"nPublic": 3', '"nPublic":  3'));
    expect(await found()).toEqual(['pin fail']);
  });

  it('finds a file that is not the manifest’s', async () => {
    writeFileSync(path('r1cs'), Buffer.concat([readFileSync(path('r1cs')), Buffer.from([0])]));
    expect(await found()).toEqual(['pin ok', 'hashes fail', 'keys ok', 'proof ok']);
    rmSync(path('r1cs'));
    expect(await found()).toContain('hashes fail');
  });

  it('finds a proving key of another set-up, though the manifest describes it', async () => {
    const zkey = readFileSync(path('zkey'));
    // γ and δ change places: both are points of the right group.
    const header = zkey.indexOf(Buffer.from([2, 0, 0, 0]), 12) + 12;
    const gamma = header + 84 + 2 * 64 + 128;
    const delta = gamma + 128 + 64;
    const swapped = Buffer.from(zkey);
    zkey.copy(swapped, gamma, delta, delta + 128);
    zkey.copy(swapped, delta, gamma, gamma + 128);
    rewrite('zkey', swapped);
    const checks = await artifactChecks(folder);
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'pin ok',
      'hashes ok',
      'keys fail',
      'proof fail',
    ]);
    expect(checks[2]?.detail).toContain('another γ');
  });
});
