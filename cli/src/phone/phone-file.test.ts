import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { identityOf, newEnrollment, openPhone } from './phone-file.js';

describe('the file of a simulated phone', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-phone-file-'));
    path = join(folder, 'phone.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const place = { baseUrl: 'http://localhost:3000', tenantId: 't', environment: 'test' };

  it('has mode 600, and is rejected if other users can read it', () => {
    const phone = openPhone(path);
    expect(readdirSync(folder)).toEqual([]);
    phone.save();
    expect(readdirSync(folder)).toEqual(['phone.json']);
    if (process.platform === 'win32') return;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(() => openPhone(path)).toThrow(`chmod 600 ${path}`);
    }
  });

  it('stores the fingerprint and the secrets for the next run', () => {
    const phone = openPhone(path);
    const enrollment = newEnrollment({ ...place, sessionId: null });
    phone.save(enrollment);
    const again = openPhone(path);
    expect(again.state).toEqual(phone.state);
    expect(again.state.fingerprint).toMatch(/^phone:[0-9a-f]{32}$/);
    expect(identityOf(again.find(() => true)!).biometricSecret).toBeGreaterThan(2n ** 200n);
  });

  it('keeps a completed registration until another one at the same place is completed', () => {
    const phone = openPhone(path);
    const first = newEnrollment({ ...place, sessionId: null });
    const elsewhere = newEnrollment({ ...place, environment: 'live', sessionId: null });
    const pending = newEnrollment({ ...place, sessionId: 's' });
    for (const enrollment of [first, elsewhere, pending]) phone.save(enrollment);
    const dids = () => openPhone(path).state.enrollments.map(({ did }) => did);
    expect(dids()).toEqual([first.did, elsewhere.did, pending.did]);
    phone.save({ ...pending, sessionId: null });
    expect(dids()).toEqual([elsewhere.did, pending.did]);
  });

  it.each(['', '{', '[]', '{"fingerprint":"f"}', '{"fingerprint":"f","enrollments":[{"salt":"x"}]}'])(
    'is rejected and left unchanged if it has other content: %j',
    (text) => {
      writeFileSync(path, text, { mode: 0o600 });
      expect(() => openPhone(path)).toThrow(UsageError);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});
