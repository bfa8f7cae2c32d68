const UNITS = [
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['days', 86_400],
] as const;

/** The time left in its largest unit, such as `23 h`. Days only from two on. */
export function timeLeft(seconds: number): string {
  const [unit, length] =
    UNITS.findLast(([, size]) => seconds >= (size === 86_400 ? 2 * size : size)) ?? UNITS[0];
  return `${Math.floor(seconds / length)} ${unit}`;
}
