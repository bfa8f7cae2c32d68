/** Leads created before this time are deleted: twelve months, in UTC [service/leads]. */
export function leadsKeptSince(now: number): Date {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date;
}
