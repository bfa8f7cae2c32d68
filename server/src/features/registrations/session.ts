import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { deviceIdOf } from '../../http/principal.js';
import type { BaseContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { codeUrl, registrationDeeplink, shortUrl } from '../../model/deeplink.js';
import { iso, isoOrNull } from '../../records/schema.js';
import * as store from './registrations.store.js';

/** A phone that takes a step. Its code is the credential. */
export type Phone = Pick<BaseContext, 'deps' | 'address' | 'writeIn'>;

export const isOpen = ({ state }: Pick<store.SessionRow, 'state'>) => state.startsWith('awaiting_');

/** The session as its tenant sees it, without hashes, codes and nonces. Its state is `expired` as soon as its time is over. */
export function serializeSession(row: store.SessionRow, now: number) {
  return {
    id: row.id,
    environment: row.environment,
    state: isOpen(row) && row.expires_at.getTime() <= now ? 'expired' : row.state,
    profile: row.profile,
    device_id: row.device_id,
    did: row.did,
    commitment: row.commitment,
    user_id: row.user_id,
    recovers: row.recovers,
    completes_at: isoOrNull(row.completes_at),
    contested_at: isoOrNull(row.contested_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    expires_at: iso(row.expires_at),
    ...(row.phone_connected_at && { phone_connected_at: iso(row.phone_connected_at) }),
  };
}

/** A step's code as a QR code shows it. Nothing but the first is shown to a phone. */
export function linksOf({ config }: Pick<Deps, 'config'>, ...step: Parameters<typeof registrationDeeplink>) {
  const deeplink = registrationDeeplink(...step);
  const [name, id, code] = step;
  const url = name === 'pair' ? shortUrl(config.baseUrl, id, code) : codeUrl(config.baseUrl, deeplink);
  return { deeplink, url };
}

export const requireSession = async (read: Read, id: string) =>
  (await store.findSession(read, id)) ?? fail('session_not_found');

/** A session that the caller may see: a device those that it opened. */
export async function requireOwnSession(
  read: Read,
  principal: object,
  id: string,
): Promise<store.SessionRow> {
  const row = await requireSession(read, id);
  const deviceId = deviceIdOf(principal);
  return deviceId === null || row.opened_by_device === deviceId ? row : fail('session_not_found');
}
