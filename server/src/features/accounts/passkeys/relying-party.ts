import type { Config } from '../../../base/config/config.js';

/** ES256, EdDSA and RS256, the best first. */
export const ALGORITHMS = [-7, -8, -257];

/** Who browsers make passkeys for. A passkey works with this host only, and only in pages of this origin. */
export function relyingParty({ baseUrl }: Pick<Config, 'baseUrl'>) {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin, name: hostname };
}

/** A member as authenticators know them: the bytes of the id. */
export const userHandle = (memberId: string): string =>
  Buffer.from(memberId.replaceAll('-', ''), 'hex').toString('base64url');
