import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../../db/db.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { reader } from '../../../ledger/write.js';
import { findUser } from '../../users/users.js';

/** The subject of a hint that the library has verified. */
function subjectIn(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
}

/**
 * Whether the signed-in user is the one that the application asks for: by `externalId` in `login_hint`, by the subject in
 * `id_token_hint`. Without a hint, everybody is.
 */
export async function isHinted(
  { db }: { readonly db: Database },
  scope: Scope,
  subjectAt: (client: Client, userId: string) => string,
  { oidc: { session, params, client } }: KoaContextWithOIDC,
): Promise<boolean> {
  const userId = session?.accountId;
  if (userId === undefined || client === undefined) return true;
  const { login_hint: externalId, id_token_hint: idToken } = params ?? {};
  if (typeof idToken === 'string' && subjectIn(idToken) !== subjectAt(client, userId)) return false;
  if (externalId === undefined) return true;
  const own = (await findUser(reader(db, scope), userId))?.external_id;
  return own?.normalize('NFC') === String(externalId).normalize('NFC');
}
