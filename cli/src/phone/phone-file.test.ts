import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '@svc/sdk/prover';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { oneAtATime } from './file-lock.js';
import { type Enrollment, type FileSecret, identityOf, openPhone, textOf } from './phone-file.js';

describe('the file of a simulated phone', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-phone-file-'));
    path = join(folder, 'phone.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const place = { baseUrl: 'http://localhost:3000', tenantId: 't', environment: 'test' } as const;

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

  const enrollment = (more: Partial<Enrollment> = {}): Enrollment => {
    const secret = textOf(createIdentity());
    const known = { fingerprint: 'f', createdAt: '2026-05-12T09:30:00.000Z', confirmed: true };
    return { ...secret, id: secret.did, ...place, ...known, ...more };
  };
  const keep = (record: Enrollment) => openPhone(path).vault.change(() => [{ put: 'identities', record }]);

  it('stores the fingerprint and the secrets for the next run', async () => {
    const phone = openPhone(path);
    await phone.vault.change(() => [{ put: 'identities', record: enrollment() }]);
    const again = openPhone(path);
    expect(again.state).toEqual(phone.state);
    expect(again.state.fingerprint).toMatch(/^phone:[0-9a-f]{32}$/);
    expect(identityOf(again.find(() => true) as Enrollment).biometricSecret).toBeGreaterThan(2n ** 200n);
  });

  it('changes what the file has now, whatever else another command has stored [phones/which-secret-works]', async () => {
    const [one, two] = [enrollment(), enrollment({ environment: 'live' })];
    const other = openPhone(path);
    await keep(one);
    await other.vault.change(({ identities }) => {
      expect(identities).toEqual([one]);
      return [{ put: 'identities', record: two }];
    });
    await keep({ ...one, confirmed: false });
    expect(openPhone(path).state.enrollments).toEqual([two, { ...one, confirmed: false }]);
    await other.vault.change(() => [{ remove: 'identities', id: two.id }]);
    expect(openPhone(path).state.enrollments).toHaveLength(1);
  });

  it('reads what an earlier version wrote: its rotation goes on, and what was under way has ended', () => {
    const [secret, renewed, pending] = [createIdentity(), createIdentity(), createIdentity()].map(textOf);
    const { did: _, ...next } = renewed as FileSecret;
    const passkey = { credentialId: 'a', userHandle: 'b', privateKey: 'c', counter: 3, keyId: 'key' };
    const state = {
      fingerprint: 'phone:1',
      enrollments: [
        { ...secret, ...place, sessionId: null, renewed: next, passkey },
        { ...pending, ...place, sessionId: 's' },
      ],
    };
    writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    const [read, ...others] = openPhone(path).state.enrollments;
    expect(others).toEqual([]);
    expect(read).toMatchObject({ ...secret, confirmed: true, attestationKeyId: 'key', renewal: next });
  });

  it('lets rotations run one after another, and a killed one blocks no other [phones/which-secret-works]', async () => {
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
