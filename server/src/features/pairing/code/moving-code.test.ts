import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyring } from '../../../base/crypto/keyring.js';
import {
  drawNumber,
  hashNumber,
  isFreshSlot,
  isNumber,
  issueTicket,
  isValidTicket,
  movingFields,
  slotAt,
} from './moving-code.js';

const keys = { keyring: createKeyring('a'.repeat(48)) };
const scope = { tenantId: '019e1b85-95c0-7271-8879-55fc656f0a6f', environment: 'live' } as const;
const session = { scope, id: '019e1b85-95c0-726e-81e2-11f38ac790be' };
const times = fc.integer({ min: 0, max: 4_000_000_000_000 });

/** Random bytes that a test chooses. */
const bytesOf = (...values: number[]) => ({ bytes: () => Buffer.from([values.shift() ?? 0]) });

it('draws each number from as many bytes as any other, and draws again from the rest [pairing/number-match]', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const number = drawNumber(bytesOf(byte, 7) as never);
    expect(number).toMatch(/^[0-9]{2}$/);
    if (byte < 200) counts.set(number, (counts.get(number) ?? 0) + 1);
    else expect(number).toBe('07');
  }
  expect(counts.size).toBe(100);
  expect(new Set(counts.values())).toEqual(new Set([2]));
});

it('accepts a scan in its slot and the next one only [pairing/moving-code]', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -5, max: 5 }), (at, later) => {
      const slot = slotAt(at);
      const slotMac = movingFields(keys, session, slot).split(':')[1] as string;
      const now = (slot + later) * 10_000;
      expect(isFreshSlot(keys, session, { slot, slotMac }, now)).toBe(later === 0 || later === 1);
    }),
  );
});

it('accepts a ticket for 120 seconds, for its session only, and with the previous secret [pairing/moving-code]', () => {
  const rotated = { keyring: createKeyring('b'.repeat(48), 'a'.repeat(48)) };
  const others = [
    { scope, id: scope.tenantId },
    { scope: { ...scope, environment: 'test' as const }, id: session.id },
    { scope: { ...scope, tenantId: session.id }, id: session.id },
  ];
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 200_000 }), (at, later) => {
      const ticket = issueTicket(keys, session, at);
      const isValid = isValidTicket(rotated, session, ticket, at + later);
      if (later < 119_000) expect(isValid).toBe(true);
      if (later >= 120_000) expect(isValid).toBe(false);
      for (const other of others) expect(isValidTicket(keys, other, ticket, at)).toBe(false);
    }),
  );
});

it('rejects any other text as a ticket', () => {
  fc.assert(fc.property(fc.string(), (text) => !isValidTicket(keys, session, text, 0)));
});

it('stores a number as a hash that only fits its session', () => {
  const hash = hashNumber(keys, session, '42');
  expect(isNumber(keys, session, '42', hash)).toBe(true);
  expect(isNumber(keys, session, '43', hash)).toBe(false);
  expect(isNumber(keys, { scope, id: scope.tenantId }, '42', hash)).toBe(false);
});
