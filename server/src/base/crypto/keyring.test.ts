import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring, equalSecrets, type Purpose, sha256 } from './keyring.js';
import { systemRandom } from './random.js';

const OLD = 'the old secret, 32 bytes and more.';
const NEW = 'the new secret, 32 bytes and more.';
const PURPOSES: Purpose[] = [
  'console',
  'session',
  'codes',
  'at-rest',
  'cursors',
  'audit-heads',
  'login',
  'sealing-keys',
];

describe('the keyring', () => {
  it('derives a key of 32 bytes for each purpose, the same on every node and different from all others', () => {
    const { current } = createKeyring(OLD);
    const keys = PURPOSES.map((purpose) => current.symmetric(purpose).toString('hex'));
    expect(new Set(keys).size).toBe(PURPOSES.length);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(PURPOSES.map((purpose) => createKeyring(OLD).current.symmetric(purpose).toString('hex'))).toEqual(
      keys,
    );
    expect(current.kid).toMatch(/^[0-9a-f]{16}$/);
    expect(keys.join()).not.toContain(current.kid);
    expect(createKeyring(NEW).current.kid).not.toBe(current.kid);
  });

  it('finds the current and the previous secret’s keys by their kid, and no others', () => {
    const old = createKeyring(OLD).current.kid;
    const ring = createKeyring(NEW, OLD);
    expect(ring.find(old)?.kid).toBe(old);
    expect(ring.find(ring.current.kid)).toBe(ring.current);
    expect(createKeyring(NEW).find(old)).toBeUndefined();
    for (const kid of ['', '__proto__', 'constructor']) expect(ring.find(kid)).toBeUndefined();
    expect(createKeyring(OLD, OLD).current.kid).toBe(old);
  });

  it('decrypts what it encrypted, also with the previous secret, and rejects altered text', {
    tags: ['ci'],
  }, () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), (text, where, flip) => {
        const sealed = createKeyring(OLD).encrypt(text, systemRandom);
        expect(createKeyring(OLD).decrypt(sealed)).toBe(text.toWellFormed());
        expect(createKeyring(NEW, OLD).decrypt(sealed)).toBe(text.toWellFormed());
        expect(createKeyring(NEW).decrypt(sealed)).toBeUndefined();
        const [kid, data] = sealed.split('.') as [string, string];
        const bytes = Buffer.from(data, 'base64url');
        bytes[where % bytes.length]! ^= flip;
        expect(createKeyring(OLD).decrypt(`${kid}.${bytes.toString('base64url')}`)).toBeUndefined();
      }),
    );
    const ring = createKeyring(OLD);
    for (const junk of ['', '.', 'x.y', `${ring.current.kid}.`, `${ring.current.kid}.AAAA`])
      expect(ring.decrypt(junk)).toBeUndefined();
  });

  it('encrypts the same text differently each time', () => {
    const ring = createKeyring(OLD);
    const sealed = Array.from({ length: 50 }, () => ring.encrypt('x', systemRandom));
    expect(new Set(sealed).size).toBe(50);
  });
});

describe('comparing secrets', () => {
  it('finds equal secrets of any length equal, and all others different', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(equalSecrets(left, right)).toBe(left.toWellFormed() === right.toWellFormed());
      }),
    );
    expect(equalSecrets('', '')).toBe(true);
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
