/** The host of an origin, which people know from the address bar. */
export const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin);
