import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const BASE = Buffer.from('https://svc.example').toString('base64url');
const CODE = `za:pair:2:${TENANT}:${'ab'.repeat(31)}:1778578200:${TENANT}:live:${BASE}:177857820:${'a'.repeat(16)}`;
const FRAGMENT = `#${CODE}`;

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { readCode } = await import('./scan/read-code');
const { consumeArrival } = await import('./arrival');

afterEach(() => void vi.stubGlobal('location', new URL('https://svc.example/phone')));
afterAll(() => void vi.unstubAllGlobals());

describe('a scanned address', () => {
  test('is accepted from this service', () => {
    for (const fragment of [FRAGMENT, `#code=${encodeURIComponent(CODE)}`])
      expect(readCode(`https://svc.example/phone${fragment}`)).toMatchObject({
        kind: 'pair',
        text: CODE,
        code: { tenantId: TENANT, scan: { slot: 177857820 } },
      });
  });

  test('of another phone adds this one, also as a typed code', () => {
    for (const text of ['https://svc.example/phone/#add=SV-7K3M-Q9XT', 'SV-7K3M-Q9XT', ' sv-7k3m-q9xt '])
      expect(readCode(text)).toEqual({ kind: 'add', code: 'SV-7K3M-Q9XT' });
  });

  test('of a company’s message objects to a recovery', () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8058';
    expect(readCode(`https://svc.example/phone/#recovery=${id}`)).toEqual({ kind: 'recovery', id });
    expect(() => readCode('https://svc.example/phone/#recovery=1')).toThrow(
      expect.objectContaining({ code: 'malformed_payload' }),
    );
  });

  test('of an approval opens it, and names nothing but its ID', () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8058';
    expect(readCode(`https://svc.example/phone/#approval=${id}`)).toEqual({ kind: 'approval', id });
    for (const other of ['1', id.toUpperCase(), `${id}x`, ''])
      expect(() => readCode(`https://svc.example/phone/#approval=${other}`)).toThrow(
        expect.objectContaining({ code: 'malformed_payload' }),
      );
  });

  test.each([
    'https://evil.example/phone',
    'http://svc.example/phone',
    'https://svc.example:444/phone',
    'https://',
  ])('is rejected from another service: %s', (address) => {
    expect(() => readCode(address + FRAGMENT)).toThrow(expect.objectContaining({ code: 'foreign_code' }));
  });

  test.each([
    ['a code that is cut off', FRAGMENT.slice(0, -1)],
    ['a company’s key, as until version 2', `#link=svc_live_${'ab'.repeat(24)}&tenant=${TENANT}`],
    ['another path', undefined],
  ])('is rejected with %s', (_, fragment) => {
    const address = fragment ? `https://svc.example/phone${fragment}` : `https://svc.example/docs${FRAGMENT}`;
    expect(() => readCode(address)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
  });
});

describe('the code in the address', () => {
  const open = (hash: string) => {
    vi.stubGlobal('location', new URL(`https://svc.example/phone${hash}`));
    const replaced: unknown[] = [];
    vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: unknown) => replaced.push(url) });
    return { arrival: consumeArrival(), replaced };
  };

  test.each([FRAGMENT, '#za:pair:cut-off'])('is removed from the address: %s', (hash) => {
    expect(open(hash).replaced).toEqual(['/phone']);
  });

  test('is returned as a sign-in, an error, or nothing', () => {
    expect(open(FRAGMENT).arrival).toMatchObject({ kind: 'pair', text: CODE });
    expect(open('#za:pair:cut-off').arrival).toMatchObject({ kind: 'invalid' });
    expect(open('').arrival).toBeUndefined();
  });
});
