import { expect, it } from 'vitest';
import { shownFlags } from './shown-flags.js';

it('leaves out that somebody who came today has not gone, and nothing else', () => {
  const on = (code: string, date: string) => ({ code, date });
  const today = [on('open_shift', '2026-05-12'), on('open_break', '2026-05-12')];
  const shown = [
    on('open_shift', '2026-05-11'),
    on('double_tap', '2026-05-12'),
    on('de_day_over_10h', '2026-05-12'),
  ];
  expect(shownFlags([...today, ...shown], '2026-05-12')).toEqual(shown);
  expect(shownFlags(today, '2026-05-13')).toEqual(today);
});
