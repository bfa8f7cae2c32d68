import { describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { readEnrollmentCode, readPairingQr, readRegistrationLink } from './qr.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const nonce = 'ab'.repeat(31);
const challenge = '00ff'.repeat(8);
const base = Buffer.from('http://localhost:3000').toString('base64url');
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
    expect(readRegistrationLink(link)).toEqual({
      step: 'verify',
      sessionId: id,
      code: 'SV-7K2M-Q9RT',
      challenge,
    });
    expect(readRegistrationLink(link.replace('verify', 'pair')).step).toBe('pair');
    for (const other of [
      link.replace('verify', 'other'),
      link.replace('svc:', 'http:'),
      'svc://reg?step=pair',
      '',
    ])
      expect(() => readRegistrationLink(other), other).toThrow(UsageError);
  });

  it('accepts an enrollment code, alone or in its link', () => {
    expect(readEnrollmentCode('svc://enroll?code=SV-7K2M-Q9RT')).toEqual({ code: 'SV-7K2M-Q9RT' });
    expect(readEnrollmentCode(`svc://enroll?code=SV-7K2M-Q9RT&device=${id}`)).toEqual({
      code: 'SV-7K2M-Q9RT',
      device: id,
    });
    expect(readEnrollmentCode('sv 7k2m q9rt')).toEqual({ code: 'sv 7k2m q9rt' });
    for (const other of ['svc://enroll', 'https://evil.example/?code=SV-7K2M-Q9RT'])
      expect(() => readEnrollmentCode(other)).toThrow(UsageError);
  });
});
