import type { Punch } from '@svc/sdk';
import { describe, expect, it } from 'vitest';
import { type Confirmation, confirmed, shownAt } from './confirmations';

const punch = (n: number, name?: string): Punch => ({
  ...{ attendanceId: `a${n}`, type: 'check_in', reason: 'work', at: '2026-05-12T08:02:00.000Z' },
  ...(name !== undefined && { name }),
});
const idsOf = (shown: readonly Confirmation[]) => shown.map(({ attendanceId }) => attendanceId);

describe('the confirmations of a desk', () => {
  it('are each shown for four seconds', () => {
    const shown = confirmed([], punch(1), 1_000);
    expect(idsOf(shownAt(shown, 4_999))).toEqual(['a1']);
    expect(shownAt(shown, 5_000)).toEqual([]);
  });

  it('are the newest three of many, so that 200 in a minute never pile up', () => {
    let shown: readonly Confirmation[] = [];
    for (let n = 0; n < 200; n += 1) {
      shown = confirmed(shown, punch(n), n * 300);
      expect(shown.length).toBeLessThanOrEqual(3);
      expect(shown[0]?.attendanceId).toBe(`a${n}`);
    }
    expect(idsOf(shown)).toEqual(['a199', 'a198', 'a197']);
    expect(shownAt(shown, 199 * 300 + 4_000)).toEqual([]);
  });

  it('have at most one name, that of the newest', () => {
    const first = confirmed([], punch(1, 'Ada'), 0);
    const second = confirmed(first, punch(2, 'Grace'), 100);
    expect(second.map(({ name }) => name)).toEqual(['Grace', undefined]);
    // Nobody's name comes back.
    expect(confirmed(second, punch(3), 200).map(({ name }) => name)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('do not begin again when the same punch is reported again', () => {
    const once = confirmed([], punch(1), 0);
    expect(confirmed(once, punch(1), 2_000)).toBe(once);
  });
});
