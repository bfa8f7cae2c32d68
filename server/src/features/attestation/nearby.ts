import type { Sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Read } from '../../ledger/write.js';
import { judgeKey, type Refused, type Verified } from './attestation.js';
import * as store from './attestation.store.js';
import type { Assertion } from './web-authn/assertion.js';

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.get`. */
export interface NearbyCredential {
  readonly id: string;
  readonly response: Omit<Assertion, 'userHandle'> & { readonly userHandle?: string | null };
}

/** An SQL condition: the identity has a passkey in force, which a browser beside its phone can ask for. */
export const hasKey = (scope: Scope, identityId: Sql): Sql => store.hasLiveKey(scope, identityId);

/** The credential id of that passkey, in base64url. */
export const credentialOf = async (read: Read, identityId: string): Promise<string | undefined> =>
  (await store.findLiveKey(read, identityId))?.credential_id;

/** Checks that the passkey of the identity has signed the challenge. */
export async function judgeNearby(
  deps: Pick<Deps, 'config'>,
  read: Read,
  {
    identityId,
    challenge,
    credential,
  }: {
    readonly identityId: string;
    readonly challenge: Uint8Array;
    readonly credential: NearbyCredential;
  },
): Promise<Verified | Refused> {
  const row = await store.findLiveKey(read, identityId);
  const isIts = row?.credential_id === credential.id;
  const { userHandle, ...response } = credential.response;
  const assertion = userHandle == null ? response : { ...response, userHandle };
  return judgeKey(deps, isIts ? row : undefined, assertion, challenge);
}
