import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../test-vectors.json' with { type: 'json' };
import { additionDigits, commitToOpening, hashOfA, type Rendezvous } from './rendezvous.js';

const [first] = vectors.additionDigits;
const known = first?.fields as Rendezvous;
const hex64 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const did = hex64.map((digits) => `did:svc:${digits}`);
const rendezvous: fc.Arbitrary<Rendezvous> = fc.record({
  rendezvousId: fc.uuid(),
  did,
  newDid: did,
  newCommitment: hex64,
  a: hex64,
  b: hex64,
});

describe('the rendezvous of two phones', () => {
  it('matches the published vectors', () => {
    for (const { a, value } of vectors.hashOfA) expect(hashOfA(a)).toBe(value);
    for (const { fields, value } of vectors.commitToOpening) expect(commitToOpening(fields)).toBe(value);
    for (const { fields, value } of vectors.additionDigits) expect(additionDigits(fields)).toBe(value);
  });

  it('has vectors for a hash of a million or more and for digits that begin with zeros', () => {
    expect(vectors.additionDigits.map(({ value }) => value)).toEqual(['016087', '005173']);
  });

  it('computes six digits from the first 20 bits of the hash', () => {
    fc.assert(
      fc.property(rendezvous, (values) => {
        const { rendezvousId, newDid, newCommitment, a, b } = values;
        const digest = createHash('sha256')
          .update(['svc-add-v1', rendezvousId, values.did, newDid, newCommitment, a, b].join('|'))
          .digest();
        const digits = additionDigits(values);
        expect(digits).toMatch(/^[0-9]{6}$/);
        expect(Number(digits)).toBe((digest.readUInt32BE(0) >>> 12) % 1_000_000);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('changes what the new phone commits to with each of its values', () => {
    fc.assert(
      fc.property(rendezvous, rendezvous, (one, other) => {
        for (const name of ['newDid', 'newCommitment', 'b'] as const)
          expect(commitToOpening({ ...one, [name]: other[name] }) === commitToOpening(one)).toBe(
            one[name] === other[name],
          );
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('ignores the case of DIDs and of the id', () => {
    const upper = { ...known, did: known.did.toUpperCase(), newDid: known.newDid.toUpperCase() };
    expect(additionDigits({ ...upper, rendezvousId: known.rendezvousId.toUpperCase() })).toBe(
      additionDigits(known),
    );
    expect(commitToOpening(upper)).toBe(commitToOpening(known));
  });

  it.each(['', 'a|b', 'a b', '\u00e9', 'did:svc:00\n'])('rejects the DID %j', (text) => {
    expect(() => commitToOpening({ ...known, newDid: text })).toThrow(TypeError);
    expect(() => additionDigits({ ...known, newDid: text })).toThrow(TypeError);
    expect(() => additionDigits({ ...known, did: text })).toThrow(TypeError);
    expect(() => additionDigits({ ...known, rendezvousId: text })).toThrow(TypeError);
  });

  it.each(['', '0'.repeat(63), '0'.repeat(65), 'A'.repeat(64), `0x${'0'.repeat(62)}`])(
    'rejects %j for 64 lower-case hex digits',
    (text) => {
      expect(() => hashOfA(text)).toThrow(TypeError);
      expect(() => commitToOpening({ ...known, b: text })).toThrow(TypeError);
      expect(() => additionDigits({ ...known, a: text })).toThrow(TypeError);
      expect(() => additionDigits({ ...known, newCommitment: text })).toThrow(TypeError);
    },
  );
});
