import { sql } from '../../kernel/db/sql.js';
import type { Deps } from '../../kernel/deps.js';
import { fail } from '../../kernel/errors.js';
import { sha256 } from '../../kernel/keyring.js';
import { createLoader } from '../../kernel/loader.js';
import type { Credentials, KeyPrincipal } from '../../kernel/principal.js';
import { type TenantRow, toTenant } from '../tenants/tenants.js';
import { createKeyCache } from './key-cache.js';
import type { KeyRow } from './keys.store.js';

const KEY = /^svc_(live|test)_[0-9a-f]{48}$/;

/** The one key that a request carries. Two different ones are refused: which was meant is not ours to guess. */
function presentedKey({ header }: Credentials): string {
  const authorization = header('authorization');
  const plain = header('x-api-key');
  if (authorization === undefined && plain === undefined) fail('missing_api_key');
  if (typeof authorization === 'object' || typeof plain === 'object')
    fail('invalid_api_key', { because: 'repeated header' });
  const bearer = authorization === undefined ? undefined : (/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '');
  if (bearer !== undefined && plain !== undefined && bearer !== plain)
    fail('invalid_api_key', { because: 'two keys' });
  return bearer ?? plain ?? '';
}

type Found = KeyRow & { key_hash: string } & Omit<
    TenantRow,
    'password_hash' | 'token_version' | 'id' | 'created_at'
  > & {
    tenant_id: string;
    tenant_created_at: Date;
  };

/** A key as it was read: who it stands for, unless it has ended. */
interface Known {
  readonly of: readonly string[];
  readonly isRevoked: boolean;
  readonly expiresAt: number;
  readonly principal: KeyPrincipal;
}

async function findKeys(db: Deps['db'], hashes: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const rows = await db.query<Found>(sql`
    select k.key_hash, k.id, k.environment, k.scopes, k.expires_at, k.revoked_at, t.id as tenant_id, t.email,
      t.company_name, t.plan, t.status, t.security_policy, t.created_at as tenant_created_at
    from api_keys k join tenants t on t.id = k.tenant_id where k.key_hash = any(${hashes}::text[])`);
  return new Map(rows.map((row) => [row.key_hash, toKnown(row)]));
}

const toKnown = (row: Found): Known => ({
  of: [row.id, row.tenant_id],
  isRevoked: row.revoked_at !== null,
  expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  principal: {
    keyId: row.id,
    stillGood: (now) => sql`select 1 from api_keys k join tenants t on t.id = k.tenant_id
      where k.tenant_id = ${row.tenant_id} and k.id = ${row.id} and k.revoked_at is null and t.status = 'active'
        and (k.expires_at is null or k.expires_at > ${new Date(now)})`,
    environment: row.environment,
    scopes: row.scopes,
    tenant: toTenant({ ...row, id: row.tenant_id, created_at: row.tenant_created_at }),
  },
});

/** A key is remembered while every change of it is heard of; those that are asked for at once are asked for together. */
export function createKeyCheck({ db, clock, bus }: Pick<Deps, 'db' | 'clock' | 'bus'>) {
  const load = createLoader<string, Known>((hashes) => findKeys(db, hashes));
  const cache = createKeyCache<Known>({ bus, clock });
  return async (credentials: Credentials): Promise<KeyPrincipal> => {
    const key = presentedKey(credentials);
    if (!KEY.test(key)) fail('invalid_api_key', { because: 'malformed' });
    const hash = sha256(key);
    const known = cache.get(hash) ?? (await cache.fill(hash, () => load(hash)));
    if (known === undefined) fail('invalid_api_key', { because: 'unknown' });
    if (known.isRevoked) fail('invalid_api_key', { because: 'revoked' });
    if (known.expiresAt <= clock.now()) fail('invalid_api_key', { because: 'expired' });
    return known.principal;
  };
}
