export type Country = 'DE' | 'ES';

export type RuleCode =
  | 'de_day_over_10h'
  | 'de_break_under_30'
  | 'de_break_under_45'
  | 'de_over_6h_in_a_row'
  | 'de_rest_under_11h'
  | 'es_day_over_9h'
  | 'es_break_under_15'
  | 'es_rest_under_12h';

/** All in minutes. */
export interface CountryRules {
  readonly day: { readonly code: RuleCode; readonly max: number };
  /** Shorter ones don't count as a break. */
  readonly shortestBreak: number;
  /** Work of more than `over` needs breaks of at least `min` in total. */
  readonly breaks: readonly { readonly code: RuleCode; readonly over: number; readonly min: number }[];
  /** Work without a break that counts. */
  readonly inARow?: { readonly code: RuleCode; readonly max: number };
  readonly rest: { readonly code: RuleCode; readonly min: number };
}

export const COUNTRY_RULES: Readonly<Record<Country, CountryRules>> = {
  // Arbeitszeitgesetz, sections 3 to 5.
  DE: {
    day: { code: 'de_day_over_10h', max: 600 },
    shortestBreak: 15,
    breaks: [
      { code: 'de_break_under_30', over: 360, min: 30 },
      { code: 'de_break_under_45', over: 540, min: 45 },
    ],
    inARow: { code: 'de_over_6h_in_a_row', max: 360 },
    rest: { code: 'de_rest_under_11h', min: 660 },
  },
  // Estatuto de los Trabajadores, article 34.3 and 34.4.
  ES: {
    day: { code: 'es_day_over_9h', max: 540 },
    shortestBreak: 15,
    breaks: [{ code: 'es_break_under_15', over: 360, min: 15 }],
    rest: { code: 'es_rest_under_12h', min: 720 },
  },
};

/** The text of each flag. Agreements and exceptions can allow what is flagged, so no text calls it illegal. */
export const RULE_TEXTS: Readonly<Record<RuleCode, string>> = {
  de_day_over_10h: 'More than 10 hours of work in a day (ArbZG, section 3).',
  de_break_under_30:
    'More than 6 hours of work with breaks of less than 30 minutes in total. Breaks under 15 minutes don’t count (ArbZG, section 4).',
  de_break_under_45:
    'More than 9 hours of work with breaks of less than 45 minutes in total. Breaks under 15 minutes don’t count (ArbZG, section 4).',
  de_over_6h_in_a_row: 'More than 6 hours of work without a break of 15 minutes (ArbZG, section 4).',
  de_rest_under_11h: 'Less than 11 hours between the work of two days (ArbZG, section 5).',
  es_day_over_9h: 'More than 9 hours of work in a day (Estatuto de los Trabajadores, article 34.3).',
  es_break_under_15:
    'More than 6 hours of work without a break of 15 minutes (Estatuto de los Trabajadores, article 34.4).',
  es_rest_under_12h:
    'Less than 12 hours between the work of two days (Estatuto de los Trabajadores, article 34.3).',
};
