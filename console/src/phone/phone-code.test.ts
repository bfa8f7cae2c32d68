import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const KEY = `svc_live_${'ab'.repeat(24)}`;
const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const FRAGMENT = `#link=${KEY}&tenant=${TENANT}&name=Muster`;

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { readCode } = await import('./scan/read-code');
const { consumeArrival } = await import('./arrival');

afterEach(() => void vi.stubGlobal('location', new URL('https://svc.example/phone')));
afterAll(() => void vi.unstubAllGlobals());

describe('a scanned address', () => {
  test('is accepted from this service', () => {
    expect(readCode(`https://svc.example/phone${FRAGMENT}`)).toEqual({
      kind: 'link',
      offer: { claimKey: KEY, tenantId: TENANT, environment: 'live', name: 'Muster' },
    });
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
    ['a short key', FRAGMENT.replace('abab', '')],
    ['no tenant', `#link=${KEY}`],
    ['another path', undefined],
  ])('is rejected with %s', (_, fragment) => {
    const address = fragment ? `https://svc.example/phone${fragment}` : `https://svc.example/docs${FRAGMENT}`;
    expect(() => readCode(address)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
  });
});

describe('the code or link in the address', () => {
  const open = (hash: string) => {
    vi.stubGlobal('location', new URL(`https://svc.example/phone${hash}`));
    const replaced: unknown[] = [];
    vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: unknown) => replaced.push(url) });
    return { arrival: consumeArrival(), replaced };
  };

  test.each([FRAGMENT, '#link=secret-that-is-cut-off'])('is removed from the address: %s', (hash) => {
    expect(open(hash).replaced).toEqual(['/phone']);
  });

  test('is returned as a link, an error, or nothing', () => {
    expect(open(FRAGMENT).arrival).toMatchObject({ kind: 'link' });
    expect(open('#link=secret-that-is-cut-off').arrival).toMatchObject({ kind: 'invalid' });
    expect(open('').arrival).toBeUndefined();
  });
});
