import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64url } from './base64url.js';
import { qrTextOf, readShortCode, unwrapCode } from './code-url.js';
import { type Deeplink, formatDeeplink, parseDeeplink } from './deeplink.js';
import { formatPairingCode, type PairingCode, parsePairingCode } from './pairing-code.js';

const ORIGINS = ['https://id.example.com', 'http://localhost:3000', 'https://id.example.com:8443'] as const;
/** As the service formats it. */
const addressOf = (origin: string, text: string) =>
  `${origin}/phone/#code=${text.replace(/[^\w:/?=.~-]/g, encodeURIComponent)}`;

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const uuids = fc.uuid();
const codes = fc.stringMatching(/^SV-[2-9ACDEFGHJKM]{4}-[2-9ACDEFGHJKM]{4}$/);
const origins = fc.constantFrom(...ORIGINS);
const links: fc.Arbitrary<Deeplink> = fc.oneof(
  fc.record({ kind: fc.constant('addition' as const), code: codes }),
  fc.record({ kind: fc.constant('enroll' as const), code: codes, device: uuids }),
  fc.record({
    kind: fc.constant('registration' as const),
    step: fc.constantFrom('pair', 'enroll', 'verify'),
    session: uuids,
    code: codes,
    challenge: hex(32),
  }),
);
const pairings: fc.Arbitrary<PairingCode> = fc.record({
  sessionId: uuids,
  nonce: hex(62),
  expiresAtSeconds: fc.nat(2_000_000_000),
  tenantId: uuids,
  environment: fc.constantFrom('live', 'test'),
  baseUrl: origins,
  scan: fc.record({ slot: fc.nat(), slotMac: fc.stringMatching(/^[\w-]{16}$/) }),
});

describe('the address of a code', () => {
  it('says the same as the code, in each form that a page links to', () =>
    fc.assert(
      fc.property(links, pairings, origins, (link, pairing, origin) => {
        const text = formatDeeplink(link);
        expect(parseDeeplink(addressOf(origin, text), origin)).toEqual(link);
        expect(parseDeeplink(`${origin}/phone/#code=${encodeURIComponent(text)}`)).toEqual(link);
        const code = formatPairingCode(pairing);
        const forms = [
          addressOf(pairing.baseUrl, code),
          `${pairing.baseUrl}/phone#code=${encodeURIComponent(code)}`,
          `${pairing.baseUrl}/phone/#${code}`,
        ];
        for (const form of [code, ...forms]) expect(parsePairingCode(form)).toEqual(pairing);
      }),
    ));

  it('of another service is never taken for ours [pairing/reading-an-address]', () =>
    fc.assert(
      fc.property(links, pairings, fc.domain(), (link, pairing, host) => {
        const { origin } = new URL(`https://${host}`);
        fc.pre(!ORIGINS.includes(origin as 'https://id.example.com'));
        const foreign = addressOf(origin, formatDeeplink(link));
        expect(() => parseDeeplink(foreign, ORIGINS[0])).toThrow(
          expect.objectContaining({ code: 'foreign_code' }),
        );
        expect(() => parsePairingCode(addressOf(origin, formatPairingCode(pairing)))).toThrow(
          expect.objectContaining({ code: 'malformed_payload' }),
        );
      }),
    ));

  it('is judged for any text without another error than malformed_payload or foreign_code', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `https://id.example.com/phone/#code=${text}`),
          fc.string().map((text) => `https://${text}/phone/#code=svc://add?code=SV-7K2M-Q9RT`),
          fc.string().map((text) => `https://id.example.com${text}#add=SV-7K2M-Q9RT`),
        ),
        (text) => {
          for (const parse of [() => parseDeeplink(text, ORIGINS[0]), () => parsePairingCode(text)]) {
            try {
              parse();
            } catch (error) {
              expect(error).toMatchObject({
                code: expect.stringMatching(/^(malformed_payload|foreign_code)$/),
              });
            }
          }
        },
      ),
    ));

  it.each([
    'https://id.example.com/phone/',
    'https://id.example.com/phone/#',
    'https://id.example.com/phone/#code=',
    'https://id.example.com/phone/#code=%E0%A4%A',
    'https://id.example.com/phone/#code=svc://add&code=svc://add',
    'https://id.example.com/phonebook/#code=svc://add',
    'https://id.example.com/docs#code=svc://add',
    'https://id.example.com/phone/?x=1#code=svc://add',
    'https://id.example.com@evil.example/phone/#code=svc://add',
    'https://evil.example\\.id.example.com/phone/#code=svc://add',
    'https://id.example.com/phone/\n#code=svc://add',
    `https://id.example.com/phone/#code=${'a'.repeat(5000)}`,
  ])('has no code in %j', (address) => {
    expect(unwrapCode(address)).toBeUndefined();
  });

  it('is not taken out of another address', () => {
    const nested = addressOf(ORIGINS[0], encodeURIComponent(`${ORIGINS[0]}/phone/#add=SV-7K2M-Q9RT`));
    expect(() => parseDeeplink(nested)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
  });
});

describe('the text of the QR code', () => {
  const url = 'https://id.example.com/phone/#code=svc://add';
  it('is the address with https, and the code itself otherwise [pairing/code-as-an-address]', () => {
    expect(qrTextOf({ qrPayload: 'za:pair:1:…', url })).toBe(url);
    expect(qrTextOf({ deeplink: 'svc://add', url })).toBe(url);
    expect(qrTextOf({ deeplink: 'svc://add', url: url.replace('https', 'http') })).toBe('svc://add');
    expect(qrTextOf({ qrPayload: 'za:pair:1:…', url: '' })).toBe('za:pair:1:…');
  });

  it('is the code itself from a server that returns no address', () => {
    expect(qrTextOf({ qrPayload: 'za:pair:1:…' })).toBe('za:pair:1:…');
  });
});

describe('the short address of a code', () => {
  const shortId = (id: string) =>
    toBase64url(
      Uint8Array.from(id.replaceAll('-', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    );

  it('names a pairing, and its parser refuses it, because it says neither account nor nonce', () =>
    fc.assert(
      fc.property(pairings, origins, ({ sessionId, scan }, origin) => {
        const url = `${origin}/phone/#c=${shortId(sessionId)}.${scan?.slot}.${scan?.slotMac}`;
        expect(readShortCode(url)).toEqual({ origin, sessionId, scan });
        expect(() => parsePairingCode(url)).toThrow(expect.objectContaining({ code: 'malformed_payload' }));
      }),
    ));

  it('is the first code of a registration', () =>
    fc.assert(
      fc.property(uuids, codes, origins, (session, code, origin) => {
        const url = `${origin}/phone/#c=${shortId(session)}.${code}`;
        expect(parseDeeplink(url, origin)).toEqual({ kind: 'registration', step: 'pair', session, code });
        expect(readShortCode(url)).toBeUndefined();
        expect(() => parseDeeplink(url, 'https://elsewhere.example')).toThrow(
          expect.objectContaining({ code: 'foreign_code' }),
        );
      }),
    ));

  it.each([
    'https://id.example.com/phone/#c=',
    `https://id.example.com/phone/#c=${'a'.repeat(21)}.1.${'b'.repeat(16)}`,
    `https://id.example.com/phone/#c=${'a'.repeat(22)}.01.${'b'.repeat(16)}`,
    `https://id.example.com/phone/#c=${'A'.repeat(22)}.1.${'b'.repeat(17)}`,
    `https://id.example.com/phone/#c=${'A'.repeat(22)}.1.${'b'.repeat(16)}&code=x`,
    `https://id.example.com/docs#c=${'A'.repeat(22)}.1.${'b'.repeat(16)}`,
    `c=${'A'.repeat(22)}.1.${'b'.repeat(16)}`,
    `https://id.example.com/phone/#c=${'a'.repeat(22)}.${'1'.repeat(5000)}.${'b'.repeat(16)}`,
  ])('is not %s', (text) => expect(readShortCode(text)).toBeUndefined());
});
