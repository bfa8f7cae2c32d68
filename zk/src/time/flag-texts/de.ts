import type { FlagCode } from '../flags.js';

/** The German texts of flags. */
export const FLAG_TEXTS: Readonly<Record<FlagCode, string>> = {
  double_tap: 'Dieselbe Buchung zweimal innerhalb einer Minute. Die zweite zählt nicht.',
  two_check_ins: 'Zweimal Kommen ohne Gehen. Die erste Schicht hat kein Ende und keine Minuten.',
  check_out_alone: 'Gehen ohne Kommen. Es zählt nicht.',
  open_shift: 'Kommen ohne Gehen. Die Schicht hat keine Minuten.',
  open_break: 'Eine Pause ohne Ende. Sie hat keine Minuten.',
  break_at_the_end: 'Gehen während einer Pause. Die Pause endet mit der Schicht.',
  break_alone: 'Eine Pause außerhalb einer Schicht. Sie zählt nicht.',
  asserted_ignored:
    'Ein API-Schlüssel oder ein Mitglied hat etwas innerhalb einer Schicht der Person eingetragen. Es zählt nicht.',
  de_day_over_10h: 'Mehr als 10 Stunden Arbeit an einem Tag (§ 3 ArbZG).',
  de_break_under_30:
    'Mehr als 6 Stunden Arbeit mit insgesamt weniger als 30 Minuten Pause. Pausen unter 15 Minuten zählen nicht (§ 4 ArbZG).',
  de_break_under_45:
    'Mehr als 9 Stunden Arbeit mit insgesamt weniger als 45 Minuten Pause. Pausen unter 15 Minuten zählen nicht (§ 4 ArbZG).',
  de_over_6h_in_a_row: 'Mehr als 6 Stunden Arbeit ohne eine Pause von 15 Minuten (§ 4 ArbZG).',
  de_rest_under_11h: 'Weniger als 11 Stunden Ruhezeit zwischen der Arbeit zweier Tage (§ 5 ArbZG).',
  es_day_over_9h: 'Mehr als 9 Stunden Arbeit an einem Tag (Estatuto de los Trabajadores, Artikel 34.3).',
  es_break_under_15:
    'Mehr als 6 Stunden Arbeit ohne eine Pause von 15 Minuten (Estatuto de los Trabajadores, Artikel 34.4).',
  es_rest_under_12h:
    'Weniger als 12 Stunden Ruhezeit zwischen der Arbeit zweier Tage (Estatuto de los Trabajadores, Artikel 34.3).',
};
