import { RULE_TEXTS } from '../country-rules.js';
import type { FlagCode } from '../flags.js';

/** What a flag of a sheet means, for the person and for others who look at the sheet. */
export const FLAG_TEXTS: Readonly<Record<FlagCode, string>> = {
  double_tap: 'The same event twice within a minute. The second one does not count.',
  two_check_ins: 'Came twice without going. The first shift has no end and no minutes.',
  check_out_alone: 'Went without having come. It does not count.',
  open_shift: 'Came and did not go. The shift has no minutes.',
  open_break: 'A break without an end. It has no minutes.',
  break_at_the_end: 'Went during a break. The break ends with the shift.',
  break_alone: 'A break outside a shift. It does not count.',
  asserted_ignored:
    'An API key or a member recorded an event within a shift of the person. It does not count.',
  ...RULE_TEXTS,
};
