import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring, type Keyring } from '../base/crypto/keyring.js';
import { systemRandom } from '../base/crypto/random.js';
import { Failure } from '../base/errors.js';
import { type Cursors, createCursors } from './cursor.js';

const OLD = 'the old secret, 32 bytes and more.';
const NEW = 'the new secret, 32 bytes and more.';
const FORMS = {
  'a cursor': (keyring: Keyring): Cursors => createCursors(keyring, systemRandom),
  'a sealed cursor [records/cursors-of-changing-rows]': (keyring: Keyring): Cursors =>
    createCursors(keyring, systemRandom).sealed,
};

describe.each(Object.entries(FORMS))('%s', (_name, cursorsWith) => {
  const cursors = cursorsWith(createKeyring(OLD));
  const expectRejected = (list: string, cursor: string, of = cursors): void => {
    expect(() => of.decode(list, cursor)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  };
  const list = fc.string({ maxLength: 60 });
  const position = fc.oneof(fc.uuid(), fc.nat().map(String), fc.string({ minLength: 1, maxLength: 40 }));

  it('returns its position to its own list, and is safe in a URL', () => {
    fc.assert(
      fc.property(list, position, (name, at) => {
        const cursor = cursors.encode(name, at);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(cursors.decode(name, cursor)).toBe(at);
      }),
    );
  });

  it('is rejected by every other list, and with the MAC of another position', () => {
    fc.assert(
      fc.property(list, list, position, position, (name, other, at, elsewhere) => {
        const cursor = cursors.encode(name, at);
        if (name !== other) expectRejected(other, cursor);
        if (at === elsewhere) return;
        const bytes = Buffer.from(cursor, 'base64url');
        const forged = Buffer.concat([bytes.subarray(0, 20), Buffer.from(elsewhere)]).toString('base64url');
        expectRejected(name, forged);
      }),
    );
  });

  it('is rejected if a single character is changed, missing or added', () => {
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n';
    fc.assert(
      fc.property(
        position,
        fc.nat(),
        fc.constantFrom(...ALPHABET),
        fc.constantFrom('swap', 'drop', 'add'),
        (at, where, letter, how) => {
          const cursor = cursors.encode('list', at);
          const index = where % cursor.length;
          const rest = cursor.slice(index + (how === 'add' ? 0 : 1));
          const altered = cursor.slice(0, index) + (how === 'drop' ? '' : letter) + rest;
          if (altered !== cursor) expectRejected('list', altered);
        },
      ),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string(), (text) => expectRejected('list', text)));
  });

  it('stays valid during a rotation of the secret', () => {
    const cursor = cursors.encode('list', '7');
    expect(cursorsWith(createKeyring(NEW, OLD)).decode('list', cursor)).toBe('7');
    expectRejected('list', cursor, cursorsWith(createKeyring(NEW)));
    expect(() => cursors.decode('list', 'x')).toThrow(Failure);
  });
});

describe('the two forms of cursors [records/cursors-of-changing-rows]', () => {
  const { sealed, ...readable } = createCursors(createKeyring(OLD), systemRandom);

  it('are not read as each other', () => {
    expect(() => sealed.decode('list', readable.encode('list', '7|Ada'))).toThrow(Failure);
    expect(() => readable.decode('list', sealed.encode('list', '7|Ada'))).toThrow(Failure);
  });

  it('show the position, or nothing of it', () => {
    const textOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1');
    expect(textOf(readable.encode('list', '7|Ada'))).toContain('Ada');
    expect(textOf(sealed.encode('list', '7|Ada'))).not.toContain('Ada');
    expect(sealed.encode('list', '7|Ada')).not.toBe(sealed.encode('list', '7|Ada'));
  });
});
