import { describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { readAdditionCode, readEnrollmentCode, readPairingQr, readRegistrationLink } from './qr.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const nonce = 'ab'.repeat(31);
const challenge = '00ff'.repeat(8);
const SERVICE = 'http://localhost:3000';
const base = Buffer.from(SERVICE).toString('base64url');
const code = `za:pair:1:${id}:${nonce}:1778578200:${id}:test:${base}`;

describe('the phone’s parser', () => {
  it('accepts a pairing code, and rejects malformed ones', () => {
    const parsed = {
      sessionId: id,
      nonce,
      expiresAtSeconds: 1778578200,
      tenantId: id,
      environment: 'test',
      baseUrl: 'http://localhost:3000',
    };
    expect(readPairingQr(` ${code}\n`)).toEqual(parsed);
    const moving = `${code.replace('za:pair:1', 'za:pair:2')}:177857820:Zm9vYmFy_-AbCd09`;
    expect(readPairingQr(moving)).toEqual({
      ...parsed,
      scan: { slot: 177857820, slotMac: 'Zm9vYmFy_-AbCd09' },
    });
    for (const other of [
      code.replace('za:pair:1', 'za:pair:2'),
      code.replace('za:pair:1', 'za:pair:3'),
      code.replace(nonce, nonce.slice(2)),
      code.replace(':test:', ':prod:'),
      code.replace(id, '../../admin'),
      `${code}:more`,
      '',
    ])
      expect(() => readPairingQr(other), other).toThrow(UsageError);
  });

  it('accepts registration links of each step, and rejects malformed ones', () => {
    const link = `svc://reg?step=verify&session=${id}&code=SV-7K2M-Q9RT&challenge=${challenge}`;
    expect(readRegistrationLink(link, SERVICE)).toEqual({
      step: 'verify',
      sessionId: id,
      code: 'SV-7K2M-Q9RT',
      challenge,
    });
    expect(readRegistrationLink(link.replace('verify', 'pair'), SERVICE).step).toBe('pair');
    for (const other of [
      link.replace('verify', 'other'),
      link.replace('svc:', 'http:'),
      'svc://reg?step=pair',
      '',
    ])
      expect(() => readRegistrationLink(other, SERVICE), other).toThrow(UsageError);
  });

  it('reads each code from the address that a QR code shows, and names another service', () => {
    const at = (origin: string, text: string) => `${origin}/phone/#code=${text.replaceAll('&', '%26')}`;
    const link = `svc://reg?step=pair&session=${id}&code=SV-7K2M-Q9RT`;
    expect(readPairingQr(at(SERVICE, code))).toEqual(readPairingQr(code));
    expect(readRegistrationLink(at(SERVICE, link), SERVICE)).toEqual(readRegistrationLink(link, SERVICE));
    expect(readAdditionCode(at(SERVICE, 'svc://add?code=SV-7K2M-Q9RT'), SERVICE)).toBe('SV-7K2M-Q9RT');
    expect(readAdditionCode(`${SERVICE}/phone/#add=SV-7K2M-Q9RT`, SERVICE)).toBe('SV-7K2M-Q9RT');
    const elsewhere = 'https://evil.example';
    expect(() => readPairingQr(at(elsewhere, code))).toThrow(UsageError);
    for (const read of [
      () => readRegistrationLink(at(elsewhere, link), SERVICE),
      () => readAdditionCode(`${elsewhere}/phone/#add=SV-7K2M-Q9RT`, SERVICE),
    ])
      expect(read).toThrow(/leads to another service \(https:\/\/evil\.example\)/);
  });

  it('accepts an enrollment code, alone or in its link', () => {
    expect(readEnrollmentCode('svc://enroll?code=SV-7K2M-Q9RT', SERVICE)).toEqual({ code: 'SV-7K2M-Q9RT' });
    expect(readEnrollmentCode(`svc://enroll?code=SV-7K2M-Q9RT&device=${id}`, SERVICE)).toEqual({
      code: 'SV-7K2M-Q9RT',
      device: id,
    });
    expect(readEnrollmentCode('sv 7k2m q9rt', SERVICE)).toEqual({ code: 'sv 7k2m q9rt' });
    for (const other of ['svc://enroll', 'https://evil.example/?code=SV-7K2M-Q9RT'])
      expect(() => readEnrollmentCode(other, SERVICE)).toThrow(UsageError);
  });
});
