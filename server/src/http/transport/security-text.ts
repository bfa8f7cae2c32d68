import type { Config } from '../../base/config/config.js';

const DAY_MS = 24 * 60 * 60_000;
const VALID_DAYS = 180;

/** The text of `/.well-known/security.txt` (RFC 9116). It stays the same for a day and always expires within a year. */
export function securityText({ baseUrl, securityContact }: Config, now: number): string {
  const today = now - (now % DAY_MS);
  return [
    `Contact: ${securityContact ?? `${baseUrl}/docs/security#reporting-a-vulnerability`}`,
    `Expires: ${new Date(today + VALID_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Policy: ${baseUrl}/docs/security#reporting-a-vulnerability`,
    '',
  ].join('\n');
}
