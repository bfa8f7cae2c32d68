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

  it('is its owner’s alone, and refused when others may read it', () => {
    const phone = openPhone(path);
    expect(readdirSync(folder)).toEqual([]);
    phone.keep();
    expect(readdirSync(folder)).toEqual(['phone.json']);
    if (process.platform === 'win32') return;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(() => openPhone(path)).toThrow(`chmod 600 ${path}`);
    }
  });

  it('keeps fingerprint and secrets from one run to the next', () => {
    const phone = openPhone(path);
    const enrollment = newEnrollment({ ...place, sessionId: null });
    phone.keep(enrollment);
    const again = openPhone(path);
    expect(again.state).toEqual(phone.state);
    expect(again.state.fingerprint).toMatch(/^phone:[0-9a-f]{32}$/);
    expect(identityOf(again.find(() => true)!).biometricSecret).toBeGreaterThan(2n ** 200n);
  });

  it('keeps a finished registration until another one at its place is finished too', () => {
    const phone = openPhone(path);
    const first = newEnrollment({ ...place, sessionId: null });
    const elsewhere = newEnrollment({ ...place, environment: 'live', sessionId: null });
    const underWay = newEnrollment({ ...place, sessionId: 's' });
    for (const enrollment of [first, elsewhere, underWay]) phone.keep(enrollment);
    const dids = () => openPhone(path).state.enrollments.map(({ did }) => did);
    expect(dids()).toEqual([first.did, elsewhere.did, underWay.did]);
    phone.keep({ ...underWay, sessionId: null });
    expect(dids()).toEqual([elsewhere.did, underWay.did]);
  });

  it.each(['', '{', '[]', '{"fingerprint":"f"}', '{"fingerprint":"f","enrollments":[{"salt":"x"}]}'])(
    'that is another one (%j) is named, and left as it is',
    (text) => {
      writeFileSync(path, text, { mode: 0o600 });
      expect(() => openPhone(path)).toThrow(UsageError);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});
