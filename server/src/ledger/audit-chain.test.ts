import { createHash, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../base/crypto/keyring.js';
import {
  type AuditEvent,
  canonicalEvent,
  canonicalJson,
  genesisHash,
  linkHash,
  signHead,
  verifyHead,
} from './audit-chain.js';

/** An independent implementation of RFC 8785: keys by UTF-16 units, ECMAScript's numbers, minimal escapes. */
function rfc8785(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const short: Record<string, string> = {
      '\b': '\\b',
      '\t': '\\t',
      '\n': '\\n',
      '\f': '\\f',
      '\r': '\\r',
      '"': '\\"',
      '\\': '\\\\',
    };
    let text = '"';
    for (let at = 0; at < value.length; at += 1) {
      const unit = value[at] as string;
      const code = value.charCodeAt(at);
      text += short[unit] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : unit);
    }
    return `${text}"`;
  }
  const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const fields = Object.entries(value as object).sort(([a], [b]) => {
    const [left, right] = [units(a), units(b)];
    const at = left.findIndex((unit, index) => unit !== right[index]);
    return at === -1 ? left.length - right.length : (left[at] as number) - (right[at] ?? -1);
  });
  return `{${fields.map(([key, field]) => `${rfc8785(key)}:${rfc8785(field)}`).join(',')}}`;
}

const text = fc.string({ unit: 'binary' }); // any code point, lone surrogates aside
const plain = fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const metadata = fc.dictionary(text, plain);
const event = fc.dictionary(text, fc.oneof(plain, metadata));

describe('the canonical form', () => {
  it('is RFC 8785 for every value that an event may contain', () => {
    fc.assert(
      fc.property(event, (value) => {
        expect(canonicalJson(value)).toBe(rfc8785(value));
      }),
      { numRuns: 500 },
    );
  });

  it('of an event is that of its fields', () => {
    const nullable = fc.option(text);
    const events = fc.record({
      ...{ id: text, environment: text, actorType: text, action: text, entityType: text, status: text },
      ...{ summary: text, createdAt: text, actorId: nullable, entityId: nullable },
      seq: fc.maxSafeInteger(),
      metadata,
    }) as unknown as fc.Arbitrary<AuditEvent>;
    fc.assert(
      fc.property(events, (of) => {
        expect(canonicalEvent(of)).toBe(canonicalJson(of));
      }),
    );
    expect(() => canonicalEvent({ seq: Number.NaN, metadata: {} } as AuditEvent)).toThrow(TypeError);
  });

  it('does not depend on the order of the fields, and parses to the same event', () => {
    fc.assert(
      fc.property(event, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });

  it.each([
    [{}, '{}'],
    [{ b: 1, a: 2, B: 3, '': 4 }, '{"":4,"B":3,"a":2,"b":1}'],
    [{ a: -0 }, '{"a":0}'],
    [{ a: 'é€😀\u2028\u007f</script>' }, '{"a":"é€😀\u2028\u007f</script>"}'],
    [{ a: '\u0000\u001f\b"\\/' }, '{"a":"\\u0000\\u001f\\b\\"\\\\/"}'],
    // By UTF-16 units, a character beyond the BMP comes before U+FB33 (RFC 8785, 3.2.3).
    [
      { '\ufb33': 1, '😀': 2, ö: 3, '\r': 4, '1': 5, '\u0080': 6, '€': 7 },
      '{"\\r":4,"1":5,"\u0080":6,"ö":3,"€":7,"😀":2,"\ufb33":1}',
    ],
    [
      { a: Number.MAX_SAFE_INTEGER, b: Number.MIN_SAFE_INTEGER },
      '{"a":9007199254740991,"b":-9007199254740991}',
    ],
  ])('of %j', (value, canonical) => {
    expect(canonicalJson(value)).toBe(canonical);
  });

  it.each([
    [{ a: 0.5 }],
    [{ a: 2 ** 53 }],
    [{ a: Number.NaN }],
    [{ a: Number.POSITIVE_INFINITY }],
    [{ a: { b: 1e21 } }],
    [[]],
    [['x']],
    [{ a: [] }],
    [{ a: ['x'] }],
    [{ a: undefined }],
    [{ a: 1n }],
    [{ a: '\ud800' }],
    [{ '\udc00': 1 }],
  ])('does not exist for %o', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

describe('the links', () => {
  const sha = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  it('start at a hash of the tenant and the environment', () => {
    const tenantId = '5f0c2c1e-0d4b-4b7e-9d0a-6a6c9f2f7b11';
    expect(genesisHash(tenantId, 'live')).toBe(sha(`svc-audit-v1|${tenantId}|live`).toString('hex'));
    expect(genesisHash(tenantId, 'live')).toBe(
      'cd0aa38ad25924fd13b63fcd44a78840bd8d183714e4896f996ec4cd44a1e95a',
    );
    expect(genesisHash(tenantId, 'test')).not.toBe(genesisHash(tenantId, 'live'));
  });

  it('join raw hashes: SHA-256(prevHash ‖ SHA-256(canonical))', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), text, (prev, canonical) => {
        const expected = sha(Buffer.from(prev), sha(Buffer.from(canonical, 'utf8')));
        expect(linkHash(Buffer.from(prev).toString('hex'), canonical)).toBe(expected.toString('hex'));
      }),
    );
    expect(linkHash('00'.repeat(32), '{}')).toBe(sha(Buffer.alloc(32), sha('{}')).toString('hex'));
  });

  it('differ if the text or the previous hash differs', () => {
    const prev = '11'.repeat(32);
    const link = linkHash(prev, '{"a":1}');
    expect(linkHash(prev, '{"a":2}')).not.toBe(link);
    expect(linkHash('12'.repeat(32), '{"a":1}')).not.toBe(link);
  });
});

describe('a signed head', () => {
  const { current: keys } = createKeyring('a server secret of the tests, 32 bytes');
  const { current: others } = createKeyring('another server secret of the tests, 32 bytes');
  const head = { seq: 7, hash: 'ab'.repeat(32), at: 1_778_578_200_000 };

  it('verifies with only the published raw key', () => {
    const { keyId, signature } = signHead(keys, 'tenant', 'live', head);
    expect(keyId).toBe(keys.kid);
    const x = Buffer.from(keys.signing.publicHex, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const message = `svc-audit-head-v1|tenant|live|7|${head.hash}|${head.at}`;
    expect(verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'))).toBe(true);
    expect(verifyHead(keys, 'tenant', 'live', head, signature)).toBe(true);
  });

  it('does not verify for anything else', () => {
    const { signature } = signHead(keys, 'tenant', 'live', head);
    expect(verifyHead(keys, 'other', 'live', head, signature)).toBe(false);
    expect(verifyHead(keys, 'tenant', 'test', head, signature)).toBe(false);
    expect(verifyHead(keys, 'tenant', 'live', { ...head, seq: 6 }, signature)).toBe(false);
    expect(verifyHead(keys, 'tenant', 'live', { ...head, hash: 'ac'.repeat(32) }, signature)).toBe(false);
    expect(verifyHead(keys, 'tenant', 'live', { ...head, at: head.at + 1 }, signature)).toBe(false);
    expect(verifyHead(others, 'tenant', 'live', head, signature)).toBe(false);
    for (const broken of ['', '00', `${signature.slice(0, -2)}00`, 'zz'.repeat(64)])
      expect(verifyHead(keys, 'tenant', 'live', head, broken)).toBe(false);
  });
});
