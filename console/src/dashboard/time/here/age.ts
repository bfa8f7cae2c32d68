import { locale, t } from '../language/strings';

const UNITS = [
  ['minute', 60_000],
  ['hour', 60 * 60_000],
] as const;

/** How long ago something was, such as “35 minutes ago”. */
export function ageText(ms: number): string {
  const [unit, length] = UNITS.findLast(([, size]) => ms >= size) ?? UNITS[0];
  if (ms < length) return t.shared.justNow;
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(ms / length), unit);
}
