import { beforeAll, describe, expect, it } from 'vitest';
import { createMultiple } from '../curve/fixed-base.js';
import { CIRCUITS } from '../generated/circuits.js';
import { KNOWN_PROOF } from '../generated/known-proof.js';
import { CheckedVerifier, type CheckOptions, type Opinions } from './checked-verifier.js';
import { createVerifier } from './create-verifier.js';
import { createMclVerifier } from './mcl-verifier.js';
import type { ParsedProof } from './proof.js';
import type { VerificationKey } from './verification-key.js';
import type { Verifier } from './verifier.js';

const vkey = CIRCUITS[0]?.vkey as VerificationKey;
const { signals } = KNOWN_PROOF;
const invalid: ParsedProof = { ...KNOWN_PROOF, signals: [5n, signals[1], signals[2]] };
const malformed: ParsedProof = { ...KNOWN_PROOF, signals: [-1n, signals[1], signals[2]] };

let mcl: Verifier;
let kernel: Verifier;
beforeAll(async () => {
  mcl = await createMclVerifier(vkey, createMultiple);
  kernel = await createVerifier(vkey);
});

/** A kernel with a fault: it gives the same verdict on every proof. */
const always = (verdict: boolean): Verifier => ({
  verify: () => verdict,
  verifyBatch: (batch) => batch.map(() => verdict),
});

function makeChecked(options: Partial<CheckOptions> = {}) {
  const clock = { now: 0 };
  const checked = new CheckedVerifier({ kernel, mcl, now: () => clock.now, randomByte: () => 1, ...options });
  return { checked, clock };
}
const opinions = (counts: Partial<Opinions> = {}): Opinions => ({
  rejections: 0,
  acceptances: 0,
  skipped: 0,
  ...counts,
});

describe('a checked verifier', () => {
  it('returns the kernel’s verdicts, and asks mcl only about rejections', () => {
    const { checked } = makeChecked();
    expect(checked.verify([KNOWN_PROOF, KNOWN_PROOF], false)).toEqual({
      verdicts: [true, true],
      opinions: opinions(),
      differences: [],
    });
    expect(checked.verify([KNOWN_PROOF, invalid], false)).toEqual({
      verdicts: [true, false],
      opinions: opinions({ rejections: 1 }),
      differences: [],
    });
  });

  it.each([true, false])(
    'accepts a valid proof that a faulty kernel rejects, and reports it (singly: %s)',
    (singly) => {
      const { checked } = makeChecked({ kernel: always(false) });
      expect(checked.verify([invalid, KNOWN_PROOF], singly)).toEqual({
        verdicts: [false, true],
        opinions: opinions({ rejections: 2 }),
        differences: [{ kernel: 'rejected', commitment: signals[0] }],
      });
    },
  );

  it('does not ask about numbers out of range', () => {
    const { checked } = makeChecked();
    expect(checked.verify([malformed], true).opinions).toEqual(opinions());
  });

  it('asks about at most four rejections in 100 ms', () => {
    const { checked, clock } = makeChecked();
    const askedAt = (now: number, count: number) => {
      clock.now = now;
      const batch = Array.from({ length: count }, () => invalid);
      const { rejections, skipped } = checked.verify(batch, true).opinions;
      return [rejections, skipped];
    };
    expect(askedAt(0, 3)).toEqual([3, 0]);
    expect(askedAt(50, 3)).toEqual([1, 2]);
    expect(askedAt(99, 3)).toEqual([0, 3]);
    expect(askedAt(100, 3)).toEqual([3, 0]);
  });

  it('confirms every marked acceptance, and one in 64 of the others [approvals/sampled-verification]', () => {
    let drawn = 0;
    const { checked } = makeChecked({ randomByte: () => drawn++ });
    const batch = Array.from({ length: 64 }, () => KNOWN_PROOF);
    const result = checked.confirm(
      batch,
      batch.map(() => true),
      batch.map((_, i) => i < 3),
    );
    // The bytes 0 to 60 were drawn for the 61 others.
    expect([result, drawn]).toEqual([{ opinions: opinions({ acceptances: 4 }), differences: [] }, 61]);
  });

  it('confirms nothing that was rejected', () => {
    const { checked } = makeChecked({ randomByte: () => 0 });
    expect(checked.confirm([invalid], [false], [true]).opinions).toEqual(opinions());
  });

  it('reports an invalid proof that a faulty kernel accepted', () => {
    const { checked } = makeChecked({ kernel: always(true) });
    const batch = [KNOWN_PROOF, invalid, KNOWN_PROOF];
    const { verdicts } = checked.verify(batch, false);
    expect(verdicts).toEqual([true, true, true]);
    expect(checked.confirm(batch, verdicts, [false, true, true])).toEqual({
      opinions: opinions({ acceptances: 2 }),
      differences: [{ kernel: 'accepted', commitment: 5n }],
    });
  });

  it.each([
    ['a wrong rejection', false],
    ['a wrong acceptance', true],
  ])('verifies with mcl alone after %s', (_, verdict) => {
    const { checked } = makeChecked({ kernel: always(verdict) });
    const batch = [KNOWN_PROOF, invalid];
    checked.confirm(batch, checked.verify(batch, true).verdicts, [true, true]);
    expect(checked.verify(batch, true)).toEqual({
      verdicts: [true, false],
      opinions: opinions(),
      differences: [],
    });
    expect(checked.confirm(batch, [true, false], [true, true]).opinions).toEqual(opinions());
  });
});
