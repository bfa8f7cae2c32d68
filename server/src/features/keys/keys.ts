import { sha256 } from '../../base/crypto/keyring.js';
import { catchError, fail, invalid } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { Read, TenantWrite, Write } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { ACTIVE_KEYS_PER_TENANT } from '../../model/plans.js';
import { type ApiScope, DEFAULT_SCOPES, OWNER_SCOPES } from '../../model/scopes.js';
import { type PageQuery, page } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import * as store from './keys.store.js';

export { isWithin, readNetwork } from './networks.js';

export type KeyUse = store.KeyUse;

export const WARNING = 'Store this key now: it is shown this once and cannot be recovered.';
const PREFIX_LENGTH = 16;

export interface KeyInput {
  readonly name: string;
  readonly environment: Environment;
  readonly scopes?: readonly ApiScope[];
  readonly expiresAt?: string;
}

/** A key that may do what only owners may: nobody else makes, changes or revokes it. */
export const isOwnersKey = (scopes: readonly ApiScope[]): boolean =>
  scopes.some((scope) => OWNER_SCOPES.includes(scope));

/** Judges whether the member may change this key. */
export function requireKeyAct(
  { principal, deps }: { readonly principal: Actor; readonly deps: Pick<Deps, 'clock'> },
  { scopes, environment }: Pick<store.KeyRow, 'scopes' | 'environment'>,
): void {
  if (isOwnersKey(scopes)) requireAct('change_owner_key', principal, environment, deps.clock.now());
}

export function serializeKey(row: store.KeyRow, now: number) {
  const expired = row.expires_at !== null && row.expires_at.getTime() <= now;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    environment: row.environment,
    scopes: row.scopes,
    status: row.revoked_at ? 'revoked' : expired ? 'expired' : 'active',
    createdAt: iso(row.created_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    revokedAt: isoOrNull(row.revoked_at),
    expiresAt: isoOrNull(row.expires_at),
    allowedCidrs: row.allowed_cidrs ?? [],
    lastUsedNetwork: row.last_used_network,
    replacedBy: row.replaced_by,
  } as const;
}

/** The keys of an environment that may do what a scope allows. */
export const keysThatRead = (read: Read, scope: ApiScope, now: Date) =>
  store.listKeysWith(read, read.scope, scope, now);

/** A page of the account's keys in either environment: active ones first, then newest first. */
export async function keyList({
  deps,
  scope,
  query,
}: Pick<ScopedContext, 'scope'> & { deps: Pick<Deps, 'clock' | 'cursors' | 'db'>; query: PageQuery }) {
  const now = deps.clock.now();
  let at = now;
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    'keys',
    query,
    (count, cursor) => {
      const [time = now, isActive, id = ''] = cursor?.split('|') ?? [];
      at = Number(time);
      const after = cursor === undefined ? {} : { after: { isActive: isActive === 'true', id } };
      return store.listKeys(deps.db, scope.tenantId, { at: new Date(at), ...after }, count);
    },
    (row) => `${at}|${row.is_active}|${row.id}`,
  );
  return { keys: items.map((row) => serializeKey(row, now)), nextCursor };
}

export type CreatedKey = ReturnType<typeof serializeKey> & { readonly key: string; readonly warning: string };

/** A key of 192 random bits. Only its SHA-256 is stored. */
export function newKey({ random, ids }: Pick<Deps, 'random' | 'ids'>, environment: Environment) {
  const key = `svc_${environment}_${random.bytes(24).toString('hex')}`;
  return { key, row: { id: ids(), keyHash: sha256(key), prefix: key.slice(0, PREFIX_LENGTH), environment } };
}

/**
 * The first key of an account is created with it, so nothing else can create one, and on a spread database locking the new tenant
 * would make concurrent sign-ups deadlock.
 */
export async function createKey(
  w: TenantWrite,
  deps: Pick<Deps, 'random' | 'clock' | 'ids'>,
  input: KeyInput,
  isFirst = false,
): Promise<CreatedKey> {
  const now = deps.clock.now();
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt.getTime() <= now) invalid('body.expiresAt', 'must be in the future');
  const { key, row: made } = newKey(deps, input.environment);
  w.audit({
    action: 'api_key.created',
    entityType: 'api_key',
    entityId: made.id,
    metadata: { environment: input.environment },
  });
  const counted = isFirst ? 0 : store.countActiveKeys(w, new Date(now));
  const inserted = store.insertKey(
    w,
    {
      ...made,
      name: input.name.trim(),
      scopes: [...new Set(input.scopes ?? DEFAULT_SCOPES)],
      expiresAt,
      allowedCidrs: null,
    },
    new Date(now),
  );
  const [active, row] = await Promise.all([counted, inserted]);
  // Undoes the insert, which is sent together with the count.
  if (active >= ACTIVE_KEYS_PER_TENANT) fail('api_key_limit_reached');
  return { ...serializeKey(row, now), key, warning: WARNING };
}

/**
 * Revoking is final. Repeating it changes nothing and returns the same key. `write` opens the key's own environment. Streams
 * that the key opened are notified after the commit.
 */
export async function revokeKey(
  deps: Pick<Deps, 'db' | 'clock'> & { readonly bus: Pick<Deps['bus'], 'publish'> },
  { tenantId, principal }: { readonly tenantId: string; readonly principal?: Actor },
  id: string,
  write: <T>(environment: Environment, work: (w: Write) => Promise<T>) => Promise<T>,
): Promise<store.KeyRow> {
  const { db, clock, bus } = deps;
  const key = (await store.findKey(db, tenantId, id)) ?? fail('api_key_not_found');
  if (principal !== undefined) requireKeyAct({ principal, deps }, key);
  if (key.revoked_at !== null) return key;
  const revoking = write(key.environment, async (w) => {
    w.audit({ entityType: 'api_key', entityId: id });
    const row = await store.revokeKey(w, id, new Date(clock.now()));
    return row ?? fail('api_key_not_found', { because: 'revoked concurrently' });
  });
  const revoked = await catchError('api_key_not_found', revoking);
  bus.publish('api_key', id);
  return revoked ?? (await store.findKey(db, tenantId, id)) ?? fail('api_key_not_found');
}

/** The state of each key that open streams depend on. */
export const keyStates = (db: Database, ids: readonly string[], now: Date) => store.keyStates(db, ids, now);

/** Writes when each key was last used. */
export const touchKeys = (w: UnauditedWrite<'usage'>, uses: readonly store.KeyUse[]): Promise<void> =>
  store.touchKeys(w, uses);
