import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyring } from '../../base/crypto/keyring.js';
import { type AttendanceCode, readCode, showCode } from './codes.js';

const keyring = createKeyring('a'.repeat(48));
const deps = { keyring, config: { baseUrl: 'https://id.example.com' } } as never;
const codes: fc.Arbitrary<AttendanceCode> = fc
  .tuple(fc.uuid(), fc.uuid(), fc.constantFrom('live' as const, 'test'), fc.boolean())
  .map(([tenantId, id, environment, isOfDevice]) => ({
    scope: { tenantId, environment },
    ...{ id, deviceId: isOfDevice ? id : null },
  }));
const times = fc.integer({ min: 0, max: 4_000_000_000_000 });

it('a code counts for 45 to 60 seconds, until the time that it says [time/codes]', () => {
  fc.assert(
    fc.property(codes, times, fc.integer({ min: -60_000, max: 120_000 }), (code, at, later) => {
      const { value, refreshesAt, expiresAt } = showCode(deps, code, at);
      const now = at + later;
      const begins = Date.parse(refreshesAt) - 15_000;
      expect(readCode(deps, value, now)).toEqual(
        now >= begins && now < Date.parse(expiresAt) ? code : undefined,
      );
    }),
  );
});

it('a changed character makes it no code, and another secret neither', () => {
  fc.assert(
    fc.property(codes, times, fc.nat(), fc.constantFrom('A', 'b', '7', '_'), (code, at, place, other) => {
      const { value } = showCode(deps, code, at);
      const index = place % value.length;
      const changed = value.slice(0, index) + other + value.slice(index + 1);
      if (changed !== value) expect(readCode(deps, changed, at)).toBeUndefined();
      expect(readCode({ keyring: createKeyring('b'.repeat(48)) }, value, at)).toBeUndefined();
    }),
  );
});

it('while a secret is replaced, codes of the one before still count', () => {
  fc.assert(
    fc.property(codes, times, (code, at) => {
      const { value } = showCode(deps, code, at);
      expect(readCode({ keyring: createKeyring('b'.repeat(48), 'a'.repeat(48)) }, value, at)).toEqual(code);
    }),
  );
});

it('no other text is a code', () => {
  fc.assert(fc.property(fc.string(), (text) => readCode(deps, text, 0) === undefined));
});
