import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../ledger/audit-store.js';
import { enrolText, isSignedBy, readKey, requestText } from './device-keys.js';

const scope = fc.record({
  tenantId: fc.uuid(),
  environment: fc.constantFrom('live' as const, 'test' as const),
});
const signed = fc.record({
  id: fc.uuid(),
  jti: fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
  timestamp: fc.nat({ max: 8_640_000_000_000_000 }),
});
const body = fc.option(
  fc
    .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }))
    .map((value) => JSON.parse(JSON.stringify(value)) as object),
  { nil: undefined },
);
const request = fc.tuple(scope, signed, body);

/** The same value with the keys of every object in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  );
}

describe('the text that a device signs [devices/signed-pairing-sessions]', () => {
  it('is one for one request, whatever the order of its fields, and has seven parts', () => {
    fc.assert(
      fc.property(request, ([of, by, sent]) => {
        const text = requestText(of, by, sent);
        expect(requestText(of, by, turned(sent) as object | undefined)).toBe(text);
        expect(text.split('|')).toEqual([
          'svc-device-v1',
          of.tenantId,
          of.environment,
          by.id,
          by.jti,
          String(by.timestamp),
          expect.stringMatching(sent === undefined ? /^$/ : /^[0-9a-f]{64}$/),
        ]);
      }),
    );
  });

  it('differs for two requests that differ', () => {
    fc.assert(
      fc.property(request, request, ([of, by, sent], [of2, by2, sent2]) => {
        const same =
          JSON.stringify([of, by, turned(turned(sent))]) ===
          JSON.stringify([of2, by2, turned(turned(sent2))]);
        fc.pre(!same);
        expect(requestText(of, by, sent)).not.toBe(requestText(of2, by2, sent2));
      }),
    );
  });

  it('changes with each part', () => {
    const other = '019dbed3-1dc0-70e0-a4d6-a40aa11c95bf';
    fc.assert(
      fc.property(request, ([of, by, sent]) => {
        const text = requestText(of, by, sent);
        const changed: [Scope, typeof by, object | undefined][] = [
          [{ ...of, tenantId: other }, by, sent],
          [{ ...of, environment: of.environment === 'live' ? 'test' : 'live' }, by, sent],
          [of, { ...by, id: other }, sent],
          [of, { ...by, jti: `${by.jti}A` }, sent],
          [of, { ...by, timestamp: by.timestamp + 1 }, sent],
          [of, by, { ...sent, one_more: 1 }],
        ];
        for (const parts of changed) expect(requestText(...parts)).not.toBe(text);
      }),
    );
  });

  it('never is the text of an enrolment', () => {
    fc.assert(
      fc.property(request, fc.string(), ([of, by, sent], code) => {
        expect(requestText(of, by, sent)).not.toBe(enrolText(code, { thumbprint: 'A'.repeat(43) }));
      }),
    );
  });
});

describe('a key', () => {
  it('has the thumbprint of RFC 7638 and one spelling', () => {
    const point = {
      kty: 'EC' as const,
      crv: 'P-256' as const,
      x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',
      y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
    };
    expect(readKey(point)?.thumbprint).toBe('xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M');
    expect(readKey({ ...point, x: `${point.x.slice(0, -1)}Z` })).toBeUndefined();
    expect(readKey({ ...point, y: point.x })).toBeUndefined();
  });

  it('signs no text if a device has none', () => {
    const signature = 'A'.repeat(86);
    expect([undefined, null, 'x.y', ''].map((key) => isSignedBy(key, 'text', signature))).toEqual(
      Array(4).fill(false),
    );
  });
});
