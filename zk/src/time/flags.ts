import type { AssertedPairing } from './asserted.js';
import type { Country, RuleCode } from './country-rules.js';
import type { Row } from './events.js';
import { ruleFlags } from './rule-flags.js';
import type { Pairing, PairingCode, Stay } from './stays.js';
import type { ZonedMonth } from './zone.js';

export type FlagCode = PairingCode | 'asserted_ignored' | RuleCode;

/** Something that a person should look at. It changes no minutes. */
export interface Flag {
  readonly code: FlagCode;
  /** The calendar day of the first event. For a country's rule, the day that the rule applies to. */
  readonly date: string;
  readonly eventIds: readonly string[];
}

/** All flags, also of days outside the month, by date and code. */
export function flagsOf(
  own: Pairing,
  asserted: AssertedPairing,
  all: readonly Stay[],
  { month, rules }: { readonly month: ZonedMonth; readonly rules: 'none' | Country },
): Flag[] {
  const ignored = asserted.ignored.map(({ row, within }) => ({
    code: 'asserted_ignored' as const,
    rows: [row, within.from],
  }));
  const dated = [...own.flags, ...asserted.flags, ...ignored].map(({ code, rows: [first, ...others] }) => ({
    ...{ code, date: first ? month.dateOf(first.minute) : '' },
    rows: first ? [first, ...others] : [],
  }));
  const ofRules = rules === 'none' ? [] : rulesOfBoth(own.stays, all, month, rules);
  return [...dated, ...ofRules]
    .map(({ code, date, rows }) => ({ code, date, eventIds: rows.map(({ id }: Row) => id) }))
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** Asserted rows can add a flag of the rules, but never hide one. */
function rulesOfBoth(own: readonly Stay[], all: readonly Stay[], month: ZonedMonth, country: Country) {
  const flags = ruleFlags(own, month, country);
  if (all.length === own.length) return flags;
  const key = ({ code, date }: { code: RuleCode; date: string }) => `${date} ${code}`;
  const known = new Set(flags.map(key));
  return [...flags, ...ruleFlags(all, month, country).filter((flag) => !known.has(key(flag)))];
}

const keyOf = ({ date, code, eventIds }: Flag): string => [date, code, ...eventIds].join(' ');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
