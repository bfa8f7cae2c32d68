import { beforeAll, describe, expect, it } from 'vitest';
import { createMultiple } from '../curve/fixed-base.js';
import { CIRCUITS } from '../generated/circuits.js';
import { KNOWN_PROOF } from '../generated/known-proof.js';
import { CheckedVerifier, type CheckOptions } from './checked-verifier.js';
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
  const seen = { loads: 0 };
  const checked = new CheckedVerifier({
    kernel,
    mcl: async () => {
      seen.loads += 1;
      return mcl;
    },
    now: () => clock.now,
    randomByte: () => 1,
    ...options,
  });
  return { checked, clock, seen };
}

describe('a checked verifier', () => {
  it('gives the kernel’s verdicts, and asks mcl only about what it rejects', async () => {
    const { checked, seen } = makeChecked();
    expect(await checked.verify([KNOWN_PROOF, KNOWN_PROOF], false)).toEqual({
      verdicts: [true, true],
      opinions: { rejections: 0, acceptances: 0, skipped: 0 },
      differences: [],
    });
    expect(seen.loads).toBe(0);
    expect(await checked.verify([KNOWN_PROOF, invalid], false)).toEqual({
      verdicts: [true, false],
      opinions: { rejections: 1, acceptances: 0, skipped: 0 },
      differences: [],
    });
  });

  it.each([true, false])(
    'accepts a valid proof that a faulty kernel rejects, and reports it (singly: %s)',
    async (singly) => {
      const { checked } = makeChecked({ kernel: always(false) });
      expect(await checked.verify([invalid, KNOWN_PROOF], singly)).toEqual({
        verdicts: [false, true],
        opinions: { rejections: 2, acceptances: 0, skipped: 0 },
        differences: [{ kernel: 'rejected', commitment: signals[0] }],
      });
    },
  );

  it('does not ask about numbers out of range', async () => {
    const { checked, seen } = makeChecked();
    expect((await checked.verify([malformed], true)).opinions).toEqual({
      rejections: 0,
      acceptances: 0,
      skipped: 0,
    });
    expect(seen.loads).toBe(0);
  });

  it('asks about at most 40 rejections a second', async () => {
    const { checked, clock } = makeChecked({ kernel: always(false) });
    const batch = Array.from({ length: 30 }, () => KNOWN_PROOF);
    const askedAt = async (now: number) => {
      clock.now = now;
      const { verdicts, opinions } = await checked.verify(batch, false);
      expect(verdicts.filter(Boolean)).toHaveLength(opinions.rejections);
      return [opinions.rejections, opinions.skipped];
    };
    expect(await askedAt(0)).toEqual([30, 0]);
    expect(await askedAt(500)).toEqual([10, 20]);
    expect(await askedAt(999)).toEqual([0, 30]);
    expect(await askedAt(1_000)).toEqual([30, 0]);
  });

  it('confirms every acceptance that is marked, and one in 64 of the others', async () => {
    let drawn = 0;
    const { checked } = makeChecked({ randomByte: () => drawn++ });
    const batch = Array.from({ length: 64 }, () => KNOWN_PROOF);
    const marked = batch.map((_, i) => i < 3);
    const { opinions, differences } = await checked.confirm(
      batch,
      batch.map(() => true),
      marked,
    );
    // The bytes 0 to 60 were drawn for the 61 others.
    expect([opinions.acceptances, differences, drawn]).toEqual([4, [], 61]);
  });

  it('confirms nothing that was rejected', async () => {
    const { checked, seen } = makeChecked({ randomByte: () => 0 });
    const { opinions } = await checked.confirm([invalid], [false], [true]);
    expect([opinions.acceptances, seen.loads]).toEqual([0, 0]);
  });

  it('reports an invalid proof that a faulty kernel accepted', async () => {
    const { checked } = makeChecked({ kernel: always(true) });
    const batch = [KNOWN_PROOF, invalid, KNOWN_PROOF];
    const { verdicts } = await checked.verify(batch, false);
    expect(await checked.confirm(batch, verdicts, [false, true, true])).toEqual({
      opinions: { rejections: 0, acceptances: 2, skipped: 0 },
      differences: [{ kernel: 'accepted', commitment: 5n }],
    });
  });
});
