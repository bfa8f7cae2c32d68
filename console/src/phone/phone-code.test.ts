import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const BASE = Buffer.from('https://svc.example').toString('base64url');
const CODE = `za:pair:2:${TENANT}:${'ab'.repeat(31)}:1778578200:${TENANT}:live:${BASE}:177857820:${'a'.repeat(16)}`;
const FRAGMENT = `#${CODE}`;

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { speak } = await import('./language/strings');
speak((await import('./language/en')).en);
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
        sessionId: TENANT,
      });
  });

  test('names a sign-in, or the first code of a registration [pairing/short-address]', () => {
    const id = Buffer.from(TENANT.replaceAll('-', ''), 'hex').toString('base64url');
    const address = `https://svc.example/phone/#c=${id}.177857820.${'a'.repeat(16)}`;
    expect(readCode(address)).toEqual({ kind: 'pair', text: address, sessionId: TENANT });
    expect(readCode(`https://svc.example/phone/#c=${id}.SV-7K2M-Q9RT`)).toEqual({
      kind: 'register',
      link: { kind: 'registration', step: 'pair', session: TENANT, code: 'SV-7K2M-Q9RT' },
    });
    for (const other of [`#c=${id}`, `#c=${id}.1`, `#c=${id}.SV-7K2M`, '#c=', `#c=${id}.1.${'a'.repeat(15)}`])
      expect(() => readCode(`https://svc.example/phone/${other}`)).toThrow(
        expect.objectContaining({ code: 'malformed_payload' }),
      );
    expect(() => readCode(address.replace('svc.example', 'evil.example'))).toThrow(
      expect.objectContaining({ code: 'foreign_code' }),
    );
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

  test('of a desk comes and goes', () => {
    const code = `svc://attend?c=${'a'.repeat(44)}.119004766.${'b'.repeat(16)}`;
    for (const text of [code, `https://svc.example/phone/#code=${code}`])
      expect(readCode(text)).toEqual({ kind: 'attend', code });
  });

  test('of a member of the team shows which person they are', () => {
    const code = 'svc://member?t=aa.bb.cc';
    for (const text of [code, `https://svc.example/phone/#code=${code}`])
      expect(readCode(text)).toEqual({ kind: 'member', code });
  });

  test('of an approval opens it, and names nothing but its ID', () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8058';
    expect(readCode(`https://svc.example/phone/#approval=${id}`)).toEqual({ kind: 'approval', id });
    for (const other of ['1', id.toUpperCase(), `${id}x`, ''])
      expect(() => readCode(`https://svc.example/phone/#approval=${other}`)).toThrow(
        expect.objectContaining({ code: 'malformed_payload' }),
      );
  });

  test('is read like the code in it, as text, link and address', () => {
    const link = `svc://reg?step=pair&session=${TENANT}&code=SV-7K2M-Q9RT`;
    const inAddress = (text: string) => `https://svc.example/phone/#code=${text.replaceAll('&', '%26')}`;
    for (const text of [CODE, link, 'svc://add?code=SV-7K2M-Q9RT'])
      for (const form of [inAddress(text), `https://svc.example/phone/#code=${encodeURIComponent(text)}`])
        expect(readCode(form)).toEqual(readCode(text));
  });

  test('never comes from another service, and never becomes another error than the page explains', () => {
    const codes = fc.constantFrom(
      CODE,
      `svc://reg?step=pair&session=${TENANT}&code=SV-7K2M-Q9RT`,
      'svc://add?code=SV-7K2M-Q9RT',
    );
    fc.assert(
      fc.property(fc.domain(), fc.constantFrom('http', 'https'), codes, (host, scheme, code) => {
        fc.pre(host !== 'svc.example');
        expect(() => readCode(`${scheme}://${host}/phone/#code=${encodeURIComponent(code)}`)).toThrow(
          expect.objectContaining({ code: 'foreign_code', message: expect.stringContaining(host) }),
        );
      }),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(
          '',
          'https://',
          'https://svc.example/phone/#',
          'https://svc.example/phone/#c=',
          '#code=',
        ),
        (text, start) => {
          try {
            expect(readCode(`${start}${text}`)).toHaveProperty('kind');
          } catch (error) {
            expect(error).toHaveProperty('code', expect.stringMatching(/^(malformed_payload|foreign_code)$/));
          }
        },
      ),
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
    ['an address in the address', `#code=${encodeURIComponent(`https://svc.example/phone/${FRAGMENT}`)}`],
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
    expect(open('#c=cut.off').arrival).toMatchObject({ kind: 'invalid' });
    expect(open('#za:pair:cut-off').arrival).toMatchObject({ kind: 'invalid' });
    expect(open('').arrival).toBeUndefined();
  });
});
