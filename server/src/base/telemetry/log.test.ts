import { describe, expect, it } from 'vitest';
import { createLog, redact } from './log.js';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('trace', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('a log line', () => {
  const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  it.each([
    [`svc_live_${'a1'.repeat(24)}`, 'svc_live_[redacted]'],
    [`svc_test_${'A1'.repeat(24)}`, 'svc_test_[redacted]'],
    ['SV-7KQ2-M4XN', 'SV-[redacted]'],
    [JWT, '[redacted token]'],
    ['postgres://user:pass@host/db', 'postgres://[redacted]@host/db'],
  ])('never contains %s', (secret, shown) => {
    expect(redact(`{"msg":"x ${secret} y"}`)).toBe(`{"msg":"x ${shown} y"}`);
    const text = logged((log) => {
      log.info({ nested: { [secret]: [secret] } }, `said ${secret}`);
      log.error({ err: new Error(`failed with ${secret}`, { cause: new Error(secret) }) });
    });
    expect(text).not.toContain(secret);
    for (const line of text.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('leaves other text unchanged', () => {
    for (const text of [
      'svc_live_1f3a9c0',
      'did:svc:00ff',
      'https://host/path',
      'SV-XX',
      '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
    ])
      expect(redact(text)).toBe(text);
  });

  it('describes an error with its code and cause, but without the properties that a driver attaches', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'tenants_email_key',
      detail: 'Key (email)=(needle@x.com) already exists.',
      query: 'insert needle',
      params: ['needle'],
    });
    const [line] = logged((log) => log.error({ err: new Error('unavailable', { cause }) })).split('\n');
    const { err } = JSON.parse(line as string);
    expect(err).toMatchObject({
      type: 'Error',
      message: 'unavailable',
      cause: { code: '23505', constraint: 'tenants_email_key' },
    });
    expect(line).not.toContain('needle');
    expect(JSON.parse(logged((log) => log.error({ err: 'a thrown text' }))).err).toEqual({
      message: 'a thrown text',
    });
  });
});
