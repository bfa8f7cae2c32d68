import type { Static } from 'typebox';
import { catchError, fail } from '../../base/errors.js';
import type { Sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, Write } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { activeAccount } from '../accounts/accounts.js';
import { requireUser } from '../users/users.js';
import { browserText, isSignedBy, readKey } from './browser-key.js';
import type { ForgetBody } from './browsers.schema.js';
import * as store from './browsers.store.js';

export { type BrowserKey, browserText, isSignedBy, type Jwk, readKey, type Step } from './browser-key.js';
export { BrowserJwk, BrowserSignature } from './browsers.schema.js';
export { BROWSER_EXPIRY } from './browsers.store.js';

/** Browsers that are known to a person at the same time. */
const MAX_BROWSERS = 20;

export const serializeBrowser = (row: store.BrowserRow) => ({
  id: row.id,
  browser: row.browser,
  system: row.system,
  how: row.how,
  createdAt: iso(row.created_at),
  lastUsedAt: iso(row.last_used_at),
});

/** Why a browser was forgotten, for the audit log. */
type ForgottenBy = 'account' | 'browser' | 'identity' | 'limit' | 'phone';

export const auditForgotten = (w: Write, entityId: string, by: ForgottenBy): void =>
  w.audit({ action: 'browser.forgotten', entityType: 'browser', entityId, metadata: { by } });

export async function listBrowsers(read: Read, { clock }: Pick<Deps, 'clock'>, userId: string) {
  await requireUser(read, userId);
  return (await store.listBrowsers(read, userId, new Date(clock.now()))).map(serializeBrowser);
}

/** Forgets a browser of a person. */
export const forgetBrowser = ({ write }: Pick<ScopedContext, 'write'>, id: string) =>
  write('browser.forgotten', async (w) => {
    const row = (await store.deleteBrowser(w, id)) ?? fail('browser_not_found');
    auditForgotten(w, id, 'account');
    return serializeBrowser(row);
  });

/**
 * Forgets a browser that asks for it, for all people who sign in with it. Returns of how many. Its signature is the credential, and needs no
 * challenge: the page deletes the key afterwards.
 */
export async function forgetThisBrowser(
  { deps }: Pick<BaseContext, 'deps'>,
  { tenantId, environment, browser }: Static<typeof ForgetBody>,
): Promise<number> {
  const scope = { tenantId: tenantId.toLowerCase(), environment };
  const { jwk, thumbprint } = readKey(browser.jwk, 'body.browser.jwk');
  const reject = () => fail('browser_signature_invalid', { because: 'forget' });
  if (!isSignedBy(jwk, browserText('forget', scope), browser.signature)) reject();
  const caller = {
    scope,
    actor: { type: 'system', id: null },
    credential: { revalidate: () => activeAccount(scope.tenantId), reject },
  } as const;
  const forgetting = deps.write({ ...caller, action: 'browser.forgotten' }, async (w) => {
    const ids = await store.deleteByKey(w, thumbprint);
    if (ids.length === 0) fail('browser_not_found');
    for (const id of ids) auditForgotten(w, id, 'browser');
    return ids.length;
  });
  return (await catchError('browser_not_found', forgetting)) ?? 0;
}

/** An SQL condition: the browser with this key is known to the person. */
export const isKnownTo = (
  scope: Scope,
  of: { readonly userId: Sql; readonly thumbprint: Sql },
  now: Date,
): Sql => store.isKnownTo(scope, of, now);

/** Records that a person signed in with a browser, if it is known to them. */
export async function noteUse(w: Write, userId: string, thumbprint: string, now: Date): Promise<void> {
  await store.useBrowser(w, userId, thumbprint, now);
}

/**
 * Makes a browser known to an active person, within a write that audits something else too. With more than 20, the one that was unused
 * for longest is forgotten. A browser that is known already was used again.
 */
export async function makeKnown(
  w: Write,
  { ids }: Pick<Deps, 'ids'>,
  browser: Omit<store.NewBrowser, 'id'>,
  now: Date,
): Promise<void> {
  const { userId, key, how } = browser;
  if (!(await store.lockPerson(w, userId))) return;
  if ((await store.useBrowser(w, userId, key.thumbprint, now)) !== undefined) return;
  const id = ids();
  await store.insertBrowser(w, { ...browser, id }, now);
  w.audit({ action: 'browser.known', entityType: 'browser', entityId: id, metadata: { userId, how } });
  for (const unused of await store.deleteUnused(w, userId, MAX_BROWSERS))
    auditForgotten(w, unused.id, 'limit');
}

/**
 * Forgets the browsers that identities made known, within the write that revokes them or replaces their secret: a thief of the
 * phone can have made a browser of their own known.
 */
export async function forgetOfIdentities(w: Write, identityIds: readonly string[]): Promise<void> {
  if (identityIds.length === 0) return;
  for (const { id } of await store.deleteOfIdentities(w, identityIds)) auditForgotten(w, id, 'identity');
}

/** Forgets all browsers of a person, within the write that completes their recovery. */
export async function forgetOfPerson(w: Write, userId: string): Promise<void> {
  for (const { id } of await store.deleteOfPerson(w, userId)) auditForgotten(w, id, 'identity');
}

/** Forgets the browsers of a person who is erased. */
export const eraseBrowsers = (w: Write, userId: string): Promise<void> => store.eraseBrowsers(w, userId);

/** Forgets browsers after a restore. Returns how many: fewer than `count` were the last ones. */
export const deleteRestoredBrowsers = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> => store.deleteRestoredBrowsers(w, scope, count);
