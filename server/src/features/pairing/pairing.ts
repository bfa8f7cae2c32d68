import type { Static } from 'typebox';
import { sha256 } from '../../base/crypto/keyring.js';
import { fail, invalid } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import {
  type ConsolePrincipal,
  type DevicePrincipal,
  deviceIdOf,
  type KeyPrincipal,
} from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Place } from '../../http/transport/sse.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, Write } from '../../ledger/write.js';
import { shortUrl } from '../../model/deeplink.js';
import { listPage } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import type { BrowserKey } from '../browsers/browsers.js';
import { issueTokens } from '../sessions/sessions.js';
import { findUser } from '../users/users.js';
import { withNames } from '../verifications/verifications.js';
import { type AskingDevice, askedFrom } from './asked-from.js';
import { addToCookie, hasBindSecret } from './bind-cookie.js';
import { drawNumber, hashNumber, movingFields, slotAt } from './code/moving-code.js';
import { enrolledDeviceOf } from './enrolled-device.js';
import { requireLeast } from './least.js';
import type { CreateBody, ListQuery, RedeemBody } from './pairing.schema.js';
import * as store from './pairing.store.js';

export { type AskingDevice, networkOfDevice } from './asked-from.js';
export { drawNumber, hashNumber, isNumber } from './code/moving-code.js';
export { allowsDeviceFlow, endWeakerPairings } from './least.js';
export { PairingSession, ReturnCode } from './pairing.schema.js';
export { PAIRING_EXPIRIES } from './pairing.store.js';

/** How those that have ended are read with what their seals are made of. */
export const sealedPairings = store.sealedPairings;

const TTL_SECONDS = 300;

/** The hosted sign-in page of the OpenID Provider. Its sessions belong to one sign-in. */
export interface PagePrincipal extends Pick<KeyPrincipal, 'tenant' | 'revalidate'> {
  /** The identifier of the sign-in. */
  readonly uid: string;
  /** The application that asks. */
  readonly clientId: string;
  /** How the page names it: the last part of its path, which browsers sign. */
  readonly slug: string;
  /** Where the page is. */
  readonly path: string;
  /** What a stream of the page takes instead of a place of the plan. */
  readonly streamPlaces: readonly Place[];
}

export type PairingContext = Pick<BaseContext, 'cookie' | 'setCookie' | 'header' | 'address'> &
  ScopedContext & {
    readonly deps: Pick<
      Deps,
      | 'bus'
      | 'clock'
      | 'config'
      | 'cursors'
      | 'effects'
      | 'history'
      | 'ids'
      | 'keyring'
      | 'limiter'
      | 'random'
      | 'streams'
      | 'timers'
      | 'tokens'
    >;
    readonly principal: KeyPrincipal | ConsolePrincipal | DevicePrincipal | PagePrincipal;
  };

export const matchOf = (row: Pick<store.PairingRow, 'match_hash'>) =>
  row.match_hash === null ? ('off' as const) : ('type' as const);

/** An open session becomes `expired` with time alone. A session that has ended does not. */
export const stateOf = (row: Pick<store.PairingRow, 'state' | 'expires_at'>, now: number) =>
  store.isOpen(row.state) && row.expires_at.getTime() <= now ? 'expired' : row.state;

/** The paths of a desktop's sessions, for `/v1` or for a sign-in page. */
const surfaceOf = (principal: PairingContext['principal']) =>
  'uid' in principal
    ? { sessions: principal.path, cookiePath: principal.path }
    : { sessions: '/v1/proof-pairing/sessions', cookiePath: '/v1/proof-pairing/' };

const interactionOf = (principal: PairingContext['principal']) =>
  'uid' in principal ? sha256(principal.uid) : null;

const clientOf = (principal: PairingContext['principal']) => ('uid' in principal ? principal.clientId : null);

/** The session's code as it is now: its text, and the address that opens it. */
export function codeOf(
  context: Pick<PairingContext, 'scope' | 'deps'>,
  session: Pick<store.PairingRow, 'id' | 'nonce' | 'expires_at' | 'rotates'>,
) {
  const { scope, deps } = context;
  const { id, rotates, expires_at: expiresAt } = session;
  // A code that does not move has one slot for all its time.
  const slot = slotAt(rotates ? deps.clock.now() : expiresAt.getTime());
  const moving = movingFields(deps, { scope, id }, slot);
  const url = shortUrl(deps.config.baseUrl, id, moving.replace(':', '.'));
  return { qrPayload: qrPayload(context, session, moving), url };
}

/** All that a phone needs of a code. `moving` is its slot and what signs it. */
export function qrPayload(
  { scope, deps }: Pick<ScopedContext, 'scope'> & { readonly deps: Pick<Deps, 'config'> },
  {
    id,
    nonce,
    expires_at: expiresAt,
    rotates,
  }: Pick<store.PairingRow, 'id' | 'nonce' | 'expires_at' | 'rotates'>,
  moving: string,
): string {
  const { tenantId, environment } = scope;
  const expiry = Math.floor(expiresAt.getTime() / 1000);
  const base = Buffer.from(deps.config.baseUrl).toString('base64url');
  const fields = `${id}:${nonce}:${expiry}:${tenantId}:${environment}:${base}`;
  return rotates ? `za:pair:2:${fields}:${moving}` : `za:pair:1:${fields}`;
}

/** The fields of a session in every response to the desktop. */
function describe(
  context: Pick<PairingContext, 'scope' | 'deps' | 'principal'>,
  session: Pick<store.PairingRow, 'id' | 'nonce' | 'expires_at' | 'rotates'>,
) {
  const { id, nonce, expires_at: expiresAt } = session;
  return {
    id,
    nonce,
    expiresAt: iso(expiresAt),
    ...codeOf(context, session),
    streamUrl: `${surfaceOf(context.principal).sessions}/${id}/stream`,
  };
}

/** Opens a session that only the browser with its cookie can watch. `device` is what it signs in, if that is not the browser. */
export async function openPairing(
  context: PairingContext & {
    readonly body: Static<typeof CreateBody>;
    readonly device?: AskingDevice | undefined;
    /** The key that the browser has shown, and what spends its challenge. */
    readonly browser?: { readonly key: BrowserKey; spend(w: Write): Promise<void> } | undefined;
  },
) {
  const { deps, write, scope, body, principal, device, browser } = context;
  const policy = principal.tenant.securityPolicy;
  const { sameDevice = false, returnUrl } = body;
  const enrolled = await enrolledDeviceOf(context);
  const { needsNumber } = requireLeast(deps, scope, policy, {
    sameDevice,
    isHosted: 'uid' in principal,
    hasKey: (browser ?? enrolled) !== undefined,
  });
  if (sameDevice !== (returnUrl !== undefined))
    invalid('body.returnUrl', sameDevice ? 'is required with sameDevice' : 'is only for sameDevice');
  if (returnUrl?.includes('#')) invalid('body.returnUrl', 'must not have a fragment');
  const now = deps.clock.now();
  const secret = deps.random.bytes(32).toString('base64url');
  const id = deps.ids();
  const matchCode = needsNumber || enrolled || body.match === 'type' ? drawNumber(deps.random) : undefined;
  const pairing = {
    id,
    nonce: deps.random.bytes(31).toString('hex'),
    bindHash: sha256(secret),
    expiresAt: new Date(now + TTL_SECONDS * 1000),
    matchHash: matchCode === undefined ? null : hashNumber(deps, { scope, id }, matchCode),
    rotates: matchCode !== undefined || body.rotate === true,
    context: askedFrom(context, { id, clientId: clientOf(principal), device }, policy, body),
    // In its normal form. Some parsers read a backslash differently.
    returnUrl: returnUrl === undefined ? null : new URL(returnUrl).href,
    interactionHash: interactionOf(principal),
    browser: browser?.key,
    openedByDevice: enrolled?.deviceId ?? null,
  };
  await write('pairing.session_created', async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: id });
    await browser?.spend(w);
    await enrolled?.spend?.(w);
    if (enrolled !== undefined) await deps.effects.personBegan(w, enrolled.deviceId);
    await store.insertPairing(w, pairing, new Date(now));
  });
  const path = surfaceOf(principal).cookiePath;
  addToCookie(context, { sessionId: id, secret }, { path, maxAgeSeconds: TTL_SECONDS });
  return {
    ...describe(context, { ...pairing, expires_at: pairing.expiresAt }),
    state: 'issued' as const,
    ...(matchCode !== undefined && { matchCode }),
  };
}

/** The session, if the browser has its cookie. 404 for another account's session, then 403 without the cookie. */
export async function watchedPairing(context: PairingContext, id: string): Promise<store.PairingRow> {
  const row = await store.findPairing(context.read, id);
  // Only its own page watches a session of the OpenID Provider.
  if (row?.interaction_hash !== interactionOf(context.principal)) fail('pairing_session_not_found');
  const deviceId = deviceIdOf(context.principal);
  if (deviceId !== null && row.opened_by_device !== deviceId) fail('pairing_session_not_found');
  if (!hasBindSecret(context, id, row.bind_hash)) fail('pairing_bind_mismatch');
  return row;
}

/** The tokens of a pairing, without the fields that its session already has. */
export function tokensOf(
  { deps, scope }: Pick<ScopedContext, 'scope'> & { readonly deps: Pick<Deps, 'tokens'> },
  session: Parameters<typeof issueTokens>[2],
) {
  const { accessToken, refreshToken, tokenType, expiresIn } = issueTokens(deps, scope, session);
  return { accessToken, refreshToken, tokenType, expiresIn };
}

/**
 * The desktop's tokens, until the pairing expires; on the same device, only after the browser redeemed its code. Only the refresh
 * token is stored, encrypted. Each call signs a new access token, which is valid for an hour from then on.
 */
export function desktopTokens(context: Pick<PairingContext, 'deps' | 'scope'>, row: store.PairingRow) {
  const { desktop_refresh_sealed: sealed, desktop_session_id: sessionId, user_id: userId, did } = row;
  if (row.return_url !== null && row.redeemed_at === null) return null;
  if (sealed === null || sessionId === null || userId === null || did === null) return null;
  if (row.expires_at.getTime() <= context.deps.clock.now()) return null;
  const refreshToken = context.deps.keyring.decrypt(sealed);
  if (refreshToken === undefined) return null;
  return tokensOf(context, { sessionId, userId, did, refreshToken });
}

/** That a phone has opened the code, which says nothing about the phone. */
export const connected = ({ phone_connected_at: at }: Pick<store.PairingRow, 'phone_connected_at'>) =>
  at === null ? {} : { phoneConnectedAt: iso(at) };

/** The person's name, for a device that greets them. Anybody else looks it up with their own key. */
export async function nameOnDevice(
  { principal, read }: Pick<PairingContext, 'principal' | 'read'>,
  { bound_at: boundAt, user_id: userId }: Pick<store.PairingRow, 'bound_at' | 'user_id'>,
) {
  if (deviceIdOf(principal) === null || boundAt === null || userId === null) return {};
  return { userName: (await findUser(read, userId))?.full_name ?? null };
}

export async function pollPairing(context: PairingContext, id: string) {
  return showPairing(context, await watchedPairing(context, id));
}

async function showPairing(context: PairingContext, row: store.PairingRow) {
  const { bound_at: boundAt, user_id: userId, did } = row;
  return {
    session: {
      ...describe(context, row),
      state: stateOf(row, context.deps.clock.now()),
      ...connected(row),
      ...(boundAt !== null && { boundAt: iso(boundAt), userId, did }),
      ...(await nameOnDevice(context, row)),
    },
    tokens: desktopTokens(context, row),
  };
}

/** Exchanges the code that the phone returned with for the browser's tokens. Only the browser that opened the session can. */
export async function redeemPairing(
  context: PairingContext & { readonly body: Static<typeof RedeemBody> },
  id: string,
) {
  await watchedPairing(context, id);
  const hash = sha256(context.body.returnCode);
  const row = await context.write('pairing.redeemed', async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: id });
    // Read here, because the code would be spent for nothing if a read after the commit failed.
    const [redeemed, found] = await Promise.all([
      store.redeemPairing(w, id, hash, new Date(context.deps.clock.now())),
      store.findPairing(w, id),
    ]);
    return redeemed && found ? found : fail('pairing_code_stale', { because: 'return code' });
  });
  context.deps.bus.publish('pairing_session', id);
  return showPairing(context, row);
}

/** A session in the console's list. */
const summarise = (row: store.ListedPairing, now: number) => ({
  id: row.id,
  state: stateOf(row, now),
  match: matchOf(row),
  origin: row.context?.origin ?? null,
  application: row.context?.application ?? null,
  clientId: row.context?.clientId ?? null,
  deviceId: row.opened_by_device,
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
  boundAt: isoOrNull(row.bound_at),
  // Who has proved, and is not signed in, is nobody's business.
  userId: row.bound_at && row.user_id,
  did: row.bound_at && row.did,
});

/** Who approved a sign-in of the OpenID Provider, and the verification that shows it. */
export async function findSignIn(read: Read, id: string) {
  const row = await store.findApproval(read, id);
  return row && { userId: row.user_id, identityId: row.identity_id, verificationId: row.verification_id };
}

export const pairingListing = (now: number) => ({
  fetch: (read: Read, search: store.PairingSearch, count: number, before: string | undefined) =>
    store.listPairings(read, search, count, before, new Date(now)),
  show: (row: store.ListedPairing) => summarise(row, now),
  showNames: (read: Read, rows: readonly store.ListedPairing[]) =>
    withNames(
      read,
      rows.map((row) => summarise(row, now)),
    ),
  position: (row: store.ListedPairing) => row.id,
});

export const listPairings = (
  context: Pick<PairingContext, 'scope' | 'deps'> & { readonly query: Static<typeof ListQuery> },
) => {
  const { fetch, ...listing } = pairingListing(context.deps.clock.now());
  return listPage(context, 'sessions', {
    ...listing,
    fetch: (read: Read, { state, ...search }: Static<typeof ListQuery>, count, before) =>
      fetch(read, { ...search, ...(state && { states: [state] }) }, count, before),
  });
};

/** The public state of a session. 404 after it has expired. */
export async function publicPairing({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) {
  const row = (await store.findPublic(db, id, new Date(clock.now()))) ?? fail('pairing_session_not_found');
  return { id: row.id, state: row.state, expiresAt: iso(row.expires_at) };
}

/** The state of each pairing session, as its streams compare it. */
export const pairingStates = (db: Database, ids: readonly string[]) => store.pairingStates(db, ids);

/** Deletes the pairings that a person approved. */
export const erasePairings = (w: Write, userId: string): Promise<void> => store.erasePairings(w, userId);

/** Ends sessions after a restore, also approved ones. Returns how many: fewer than `count` were the last ones. */
export const expireRestoredPairings = (
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> => store.expireRestoredPairings(w, scope, count, now);
