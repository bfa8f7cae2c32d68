import type { SecurityPolicy } from '../../model/security-policy.js';

const HOUR_MS = 60 * 60_000;

/** How many identities a person may have that are not revoked. */
export const mostIdentities = ({ max_identities: most = 5 }: SecurityPolicy): number => most;

/** How long a recovery waits, in milliseconds. */
export const cooldownMs = ({ recovery_cooldown_hours: hours = 24 }: SecurityPolicy): number =>
  hours * HOUR_MS;

/** When an identity that another phone adds now comes into force. Null: immediately. */
export const inForceFrom = (
  { addition_cooldown_hours: hours = 0 }: SecurityPolicy,
  now: Date,
): Date | null => (hours > 0 ? new Date(now.getTime() + hours * HOUR_MS) : null);
