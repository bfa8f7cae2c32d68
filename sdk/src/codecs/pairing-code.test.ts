import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPairingCode, type PairingCode, parsePairingCode, readPairingCode } from './pairing-code.js';

const CODE: PairingCode = {
  sessionId: '019e1b2c-1234-7abc-8def-0123456789ab',
  nonce: '0f'.repeat(31),
  expiresAtSeconds: 1_778_578_500,
  tenantId: '019e1b2c-4321-7abc-8def-0123456789ab',
  environment: 'live',
  baseUrl: 'https://api.example.com',
};
const TEXT = `za:pair:1:${CODE.sessionId}:${CODE.nonce}:1778578500:${CODE.tenantId}:live:aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20`;
const MOVING: PairingCode = { ...CODE, scan: { slot: 177_857_820, slotMac: 'Zm9vYmFy_-AbCd09' } };
const MOVING_TEXT = `${TEXT.replace(':1:', ':2:')}:177857820:Zm9vYmFy_-AbCd09`;

describe('the code of a pairing', () => {
  it('is parsed and formatted as in the contract', () => {
    expect(parsePairingCode(TEXT)).toEqual(CODE);
    expect(formatPairingCode(CODE)).toBe(TEXT);
  });

  it('that moves is version 2, with its slot and what signs it', () => {
    expect(parsePairingCode(MOVING_TEXT)).toEqual(MOVING);
    expect(formatPairingCode(MOVING)).toBe(MOVING_TEXT);
  });

  it('is the same after formatting and parsing, whatever its values', () => {
    const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    const scan = fc.record({
      slot: fc.integer({ min: 0, max: 999_999_999_999 }),
      slotMac: fc.stringMatching(/^[\w-]{16}$/),
    });
    const code = fc.record(
      {
        sessionId: fc.uuid(),
        nonce: hex(62),
        expiresAtSeconds: fc.integer({ min: 0, max: 999_999_999_999 }),
        tenantId: fc.uuid(),
        environment: fc.constantFrom('live' as const, 'test' as const),
        baseUrl: fc.webUrl({ size: 'small' }),
        scan,
      },
      { requiredKeys: ['sessionId', 'nonce', 'expiresAtSeconds', 'tenantId', 'environment', 'baseUrl'] },
    );
    fc.assert(
      fc.property(code, (one) => {
        expect(parsePairingCode(formatPairingCode(one))).toEqual(one);
      }),
    );
  });

  it.each([
    ['no text', ''],
    ['another version', TEXT.replace(':1:', ':3:')],
    ['version 2 that does not move', TEXT.replace(':1:', ':2:')],
    ['version 1 that moves', MOVING_TEXT.replace(':2:', ':1:')],
    ['a slot with a leading zero', MOVING_TEXT.replace(':177857820:', ':0177857820:')],
    ['a signature of another length', `${MOVING_TEXT}A`],
    ['a signature that is not base64url', MOVING_TEXT.replace('_-', '+/')],
    ['an extra field', `${TEXT}:x`],
    ['a missing field', TEXT.slice(0, TEXT.lastIndexOf(':'))],
    ['a truncated nonce', TEXT.replace('0f0f', '0f')],
    ['an unknown environment', TEXT.replace(':live:', ':prod:')],
    ['padding', `${TEXT}==`],
    ['an invalid address', TEXT.replace(/[^:]+$/, 'bm90IGFuIGFkZHJlc3M')],
    ['an address in another scheme', TEXT.replace(/[^:]+$/, 'amF2YXNjcmlwdDphbGVydCgxKQ')],
    ['text that is not UTF-8', TEXT.replace(/[^:]+$/, '__8')],
    ['over 1,500 bytes', TEXT + 'A'.repeat(1500)],
    ['a line end', `${TEXT}\n`],
  ])('with %s is rejected', (_, text) => {
    expect(() => parsePairingCode(text)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
  });

  it('is not formatted with values that could not be parsed', () => {
    expect(() => formatPairingCode({ ...CODE, nonce: 'x:y' })).toThrow('not the QR code of a pairing');
  });

  it('is rejected for a service other than the one where the phone registered', () => {
    const { baseUrl, tenantId, environment } = CODE;
    expect(readPairingCode(TEXT, { baseUrl: `${baseUrl}/`, tenantId, environment })).toEqual(CODE);
    const foreign = (other: object, what: string) =>
      expect(() => readPairingCode(TEXT, { baseUrl, tenantId, environment, ...other })).toThrow(
        expect.objectContaining({
          code: 'foreign_code',
          message: expect.stringContaining(`another ${what}`),
        }),
      );
    foreign({ baseUrl: 'https://api.example.com.evil.test' }, 'service');
    foreign({ baseUrl: 'http://api.example.com' }, 'service');
    foreign({ tenantId: CODE.sessionId }, 'account');
    foreign({ environment: 'test' }, 'environment');
  });
});
