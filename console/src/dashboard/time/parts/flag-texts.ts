import { RULE_TEXTS } from '@svc/zk/time/country-rules';
import type { FlagCode } from '@svc/zk/time/flags';

const TEXTS: Readonly<Record<FlagCode, string>> = {
  double_tap: 'The same event twice within a minute. The second one does not count.',
  two_check_ins: 'They came twice without going. The first shift has no end and no minutes.',
  check_out_alone: 'They went without having come. It does not count.',
  open_shift: 'They came and did not go. The shift has no minutes.',
  open_break: 'A break without an end. It has no minutes.',
  break_at_the_end: 'They went during a break. The break ends with the shift.',
  break_alone: 'A break outside a shift. It does not count.',
  asserted_ignored: 'A key or a member recorded an event within a shift of the person. It does not count.',
  ...RULE_TEXTS,
};

/** What a flag means. A newer service may have flags that this page does not know. */
export const flagText = (code: string): string => (TEXTS as Readonly<Record<string, string>>)[code] ?? code;
