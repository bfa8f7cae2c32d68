import { describe, expect, it } from 'vitest';
import { BAD, codesOf, GOOD } from '../../test/hours-vectors.js';
import { verifyHours } from '../hours.js';

describe('verifyHours and the published files of a month [time/hours-file]', () => {
  it.each(GOOD)('holds for $name', async ({ text, options, checked, notChecked, restsOn, conclusion }) => {
    const verdict = await verifyHours([text], options);
    expect(codesOf(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ ok: true, checked, notChecked, restsOn, conclusion });
  });

  it.each(BAD)('finds $name: $codes', async ({ text, options, codes, conclusion }) => {
    const verdict = await verifyHours([text], options);
    expect(codesOf(verdict)).toEqual(codes);
    expect(verdict.ok).toBe(false);
    if (conclusion !== undefined) expect(verdict).toMatchObject({ conclusion });
  });
});
