import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '@svc/zk/phone';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { oneAtATime } from './file-lock.js';
import {
  type Enrollment,
  identityOf,
  newEnrollment,
  openPhone,
  renewedOf,
  withRenewed,
} from './phone-file.js';

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

  /** What a rotation writes before it sends its request. */
  const rotating = (enrollment: Enrollment) => {
    const { biometricSecret, salt, commitment } = createIdentity();
    return withRenewed(enrollment, { ...identityOf(enrollment), biometricSecret, salt, commitment });
  };
  const stored = () => openPhone(path).state.enrollments[0] as Enrollment;

  it('keeps both secrets of a rotation that another command began, whatever else is saved [D12.312]', () => {
    const enrollment = newEnrollment({ ...place, sessionId: null });
    openPhone(path).save(enrollment);
    const other = openPhone(path);
    const begun = rotating(enrollment);
    openPhone(path).saveSecrets(begun);
    other.save({ ...enrollment });
    expect(stored()).toEqual(begun);
    other.settle(createIdentity().commitment);
    expect(stored()).toEqual(begun);
  });

  it('has exactly the secret that the service accepted, once the phone found out which one it is [D12.312]', () => {
    const enrollment = newEnrollment({ ...place, sessionId: null });
    const begun = rotating(enrollment);
    openPhone(path).save(enrollment);
    const early = openPhone(path);
    early.saveSecrets(begun);
    const { commitment } = begun.renewed as { commitment: string };
    openPhone(path).settle(commitment);
    expect(stored()).toEqual(renewedOf(begun));
    // The next rotation has begun: a command that still knows the last one leaves it alone.
    const next = rotating(renewedOf(begun) as Enrollment);
    openPhone(path).saveSecrets(next);
    early.settle(commitment);
    early.save(begun);
    expect(stored()).toEqual(next);
  });

  it('lets rotations run one after another, and a killed one blocks no other [D12.312]', async () => {
    const lock = `${path}.rotating`;
    const order: string[] = [];
    const rotate = (name: string) =>
      oneAtATime(lock, async () => {
        order.push(`${name} begins`);
        await new Promise(setImmediate);
        order.push(`${name} ends`);
      });
    // No process has this id.
    writeFileSync(lock, '4194305');
    await Promise.all([rotate('one'), rotate('two')]);
    for (const at of [0, 2]) expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
    expect(readdirSync(folder)).toEqual([]);
    await expect(oneAtATime(lock, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(readdirSync(folder)).toEqual([]);
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
