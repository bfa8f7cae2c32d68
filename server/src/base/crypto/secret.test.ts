import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOpenTo } from '../private-path.js';
import { readOrCreateSecret } from './secret.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the secret of a data folder', () => {
  it('is generated once, readable by its owner only, and kept', () => {
    const data = join(folder, 'data');
    const secret = readOrCreateSecret(data);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(data, 'secret')).mode & 0o777).toBe(0o600);
    expect(readOrCreateSecret(data)).toBe(secret);
    expect(readdirSync(data)).toEqual(['secret']);
  });

  it('is made private to its owner in a folder that others can read', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, '7'.repeat(64));
    chmodSync(file, 0o644);
    readOrCreateSecret(folder);
    expect(isOpenTo(file, 0o077)).toBe(false);
  });

  it('is not replaced if a database has lost its secret [service/lost-secret]', () => {
    mkdirSync(join(folder, 'database'));
    expect(() => readOrCreateSecret(folder)).toThrow(/missing.*backup/);
    expect(existsSync(join(folder, 'secret'))).toBe(false);
  });

  it('is rejected when the file is too short', () => {
    writeFileSync(join(folder, 'secret'), 'short');
    expect(() => readOrCreateSecret(folder)).toThrow(/does not hold a secret/);
  });
});
