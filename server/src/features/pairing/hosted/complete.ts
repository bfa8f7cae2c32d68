import { sha256 } from '../../../base/crypto/keyring.js';
import { fail, invalid } from '../../../base/errors.js';
import type { Write } from '../../../ledger/write.js';
import { type BrowserKey, makeKnown, noteUse } from '../../browsers/browsers.js';
import { isOnSameDevice } from '../least.js';
import { watchedPairing } from '../pairing.js';
import * as store from '../pairing.store.js';
import { type PageContext, requireSignature } from './browser-signature.js';

export interface Completion {
  readonly sessionId: string;
  readonly returnCode: string | undefined;
  /** Of the browser that opened the session. */
  readonly signature: string | undefined;
  /** The person said that the browser is theirs. */
  readonly remember: boolean;
}

/** Records what the sign-in shows about its browser: that it is the person's, or that it was used again. */
async function noteBrowser(
  w: Write,
  { deps }: Pick<PageContext, 'deps'>,
  row: store.PairingRow,
  {
    key,
    by,
    remember,
  }: { readonly key: BrowserKey; readonly by: store.Approver; readonly remember: boolean },
  now: Date,
): Promise<void> {
  const { user_id: userId, identity_id: identityId, commitment } = by;
  const how = isOnSameDevice(row) ? 'same_device' : row.nearby_at !== null && remember ? 'nearby' : undefined;
  if (how === undefined) return noteUse(w, userId, key.thumbprint, now);
  const { browser = null, system = null } = row.context ?? {};
  await makeKnown(w, deps, { userId, identityId, commitment, key, browser, system, how }, now);
}

/** Completes a sign-in of the OpenID Provider that the phone approved. Returns the user. */
export async function completeSignIn(
  context: PageContext,
  { sessionId: id, returnCode, signature, remember }: Completion,
): Promise<string> {
  const row = await watchedPairing(context, id);
  // A page without a stream asks every few seconds, so this must not wait for the chain. The statement below decides.
  if (row.state !== 'bound') fail('sign_in_not_approved');
  const key = requireSignature(context, row, row.return_url === null ? 'complete' : 'redeem', signature);
  if (remember && (key === undefined || row.nearby_at === null))
    invalid('body.remember', 'is only for a sign-in with the phone beside this browser');
  const returnHash = returnCode === undefined ? null : sha256(returnCode);
  return context.write('pairing.redeemed', async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: id });
    const now = new Date(context.deps.clock.now());
    const interactionHash = sha256(context.principal.uid);
    const completed = await store.completePairing(w, id, interactionHash, returnHash, now);
    const by = completed ?? fail('sign_in_not_approved');
    if (key !== undefined) await noteBrowser(w, context, row, { key, by, remember }, now);
    return by.user_id;
  });
}
