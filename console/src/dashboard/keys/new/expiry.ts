export type Expiry = 'never' | '30d' | '90d' | '1y' | 'date';

export const EXPIRIES: Readonly<Record<Expiry, string>> = {
  never: 'Never',
  '30d': 'In 30 days',
  '90d': 'In 90 days',
  '1y': 'In a year',
  date: 'On a date',
};

const DAY_MS = 86_400_000;
const DAYS: Readonly<Partial<Record<Expiry, number>>> = { '30d': 30, '90d': 90, '1y': 365 };

/** When a key expires, in ISO 8601; undefined if never. A date, such as `2026-05-12`, ends in the reader's time zone. */
export function expiresAt(expiry: Expiry, date: string, now: number): string | undefined {
  if (expiry === 'never') return undefined;
  const days = DAYS[expiry];
  if (days !== undefined) return new Date(now + days * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

const SOON_MS = 14 * DAY_MS;

/** Whether a key that expires then has to be replaced soon. */
export const isSoon = (at: string, now: number): boolean => Date.parse(at) - now < SOON_MS;
