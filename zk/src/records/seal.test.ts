import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../approvals/canonical-json.js';
import { sha256, toHex } from '../prover/sha256.js';
import { SEALED_FIELDS, SEALED_KINDS, type SealedKind } from './kinds.js';
import { type HexDigest, sealOf } from './seal.js';

interface Vector {
  readonly name: string;
  readonly kind: SealedKind;
  /** A line of an export. */
  readonly line: string;
  readonly seal: string;
}
const vectors: { good: Vector[]; changed: Vector[]; refused: Omit<Vector, 'seal'>[] } = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/records.json', import.meta.url), 'utf8'),
);

const ofNode: HexDigest = (bytes) => hash('sha256', bytes, 'hex');

function sealOfLine({ kind, line }: Pick<Vector, 'kind' | 'line'>, digest = ofNode): string {
  const { n, salts, T, ...record } = JSON.parse(line);
  return sealOf({ kind, n, record, salts, T }, digest).seal;
}

const names = fc.constantFrom(...SEALED_FIELDS.verification[0].facts, ...SEALED_FIELDS.verification[0].text);
const salts = { facts: '00'.repeat(16), text: 'ff'.repeat(16) };
const id = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b01';
const other = '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b02';
const sealOfRecord = (record: object, salted = salts) =>
  sealOf({ kind: 'verification', n: 1, record: { id, ...record }, salts: salted }, ofNode).seal;

describe('the seal of a record', () => {
  it.each(vectors.good)('is that of the vector "$name"', (vector) => {
    expect(sealOfLine(vector)).toBe(vector.seal);
  });

  it.each(vectors.changed)('differs when there is "$name"', (vector) => {
    expect(sealOfLine(vector)).not.toBe(vector.seal);
  });

  it.each(vectors.refused)('cannot be made with $name', (vector) => {
    expect(() => sealOfLine(vector)).toThrow(TypeError);
  });

  it('is the same with a digest that also runs in browsers', () => {
    for (const vector of vectors.good)
      expect(sealOfLine(vector, (bytes) => toHex(sha256(bytes)))).toBe(vector.seal);
  });

  it('is of every listed field, and of no other', () => {
    const record = Object.fromEntries(
      [...SEALED_FIELDS.verification[0].facts, ...SEALED_FIELDS.verification[0].text].map((name) => [
        name,
        1,
      ]),
    );
    fc.assert(
      fc.property(names, fc.jsonValue(), (name, value) => {
        if (name === 'id' || value === 1) return;
        expect(sealOfRecord({ ...record, id, [name]: value })).not.toBe(sealOfRecord({ ...record, id }));
      }),
    );
    expect(sealOfRecord({ ...record, id: other })).not.toBe(sealOfRecord({ ...record, id }));
    expect(sealOfRecord({ ...record, id, updatedAt: 2 })).toBe(sealOfRecord({ ...record, id }));
  });

  it('is of the canonical JSON of both parts, whatever they say, and cannot be made of what that refuses', () => {
    const { facts, text } = SEALED_FIELDS.verification[0];
    const parts = [
      ['00', facts],
      ['ff', text],
    ] as const;
    const strings = fc.string({
      unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)),
      maxLength: 5,
    });
    const long = fc.string({ unit: 'binary', minLength: 1_000, maxLength: 3_000 });
    const value = fc.oneof(strings, fc.string({ unit: 'grapheme' }), fc.jsonValue(), fc.constant(undefined));
    const fields = fc.record({
      ...Object.fromEntries([...facts, ...text].map((name) => [name, value])),
      metadata: fc.oneof(value, long),
    });
    fc.assert(
      fc.property(fields, (given) => {
        const record: Readonly<Record<string, unknown>> = { ...given, id };
        const expected = () => {
          const hashes = parts.map(([salt, listed]) => {
            const part = Object.fromEntries(listed.map((name) => [name, record[name] ?? null]));
            return ofNode(
              Buffer.concat([Buffer.from(salt.repeat(16), 'hex'), Buffer.from(canonicalJson(part))]),
            );
          });
          return ofNode(Buffer.from(`svc-record-v1|verification.1|${id}|${hashes.join('|')}`));
        };
        const made = (seal: () => string) => {
          try {
            return seal();
          } catch (error) {
            return error;
          }
        };
        expect(made(() => sealOfRecord(record))).toEqual(made(expected));
      }),
    );
  });

  it('is the same for a value that JSON wrote and read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (metadata) => {
        expect(sealOfRecord(JSON.parse(JSON.stringify({ metadata })))).toBe(sealOfRecord({ metadata }));
      }),
    );
  });

  it('stays checkable without the text and its salt, by the hash that was kept', () => {
    const record = { id, result: 'fail', reason: 'second finger' };
    const { seal, T } = sealOf({ kind: 'verification', n: 1, record, salts }, ofNode);
    const stripped = { kind: 'verification', n: 1, salts: { ...salts, text: null }, T } as const;
    expect(sealOf({ ...stripped, record: { id, result: 'fail' } }, ofNode)).toEqual({ seal, T });
    expect(sealOf({ ...stripped, record: { id, result: 'pass' } }, ofNode).seal).not.toBe(seal);
  });

  it('is another one for each kind of the same fields, and with another salt', () => {
    const record = { id };
    const seals = SEALED_KINDS.map((kind) => sealOf({ kind, n: 1, record, salts }, ofNode).seal);
    expect(new Set(seals).size).toBe(SEALED_KINDS.length);
    expect(sealOfRecord({}, { ...salts, text: '01'.repeat(16) })).not.toBe(sealOfRecord({}));
  });
});
