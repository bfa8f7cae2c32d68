import { addressOf } from '../../base/address.js';
import { createLoader } from '../../base/concurrency/loader.js';
import { sha256 } from '../../base/crypto/keyring.js';
import { fail } from '../../base/errors.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { Credentials, KeyPrincipal } from '../../http/principal.js';
import { type TenantRow, toTenant } from '../accounts/accounts.js';
import type { KeyRow } from './keys.store.js';
import { isWithin } from './networks.js';

const KEY = /^svc_(live|test)_[0-9a-f]{48}$/;
/** A JWT: a token from a log-in or from a person's session. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The one well-formed key of a request. If it has two different keys, neither is used. */
function presentedKey({ header }: Credentials): string {
  const authorization = header('authorization');
  const plain = header('x-api-key');
  if (authorization === undefined && plain === undefined) fail('missing_api_key');
  if (typeof authorization === 'object' || typeof plain === 'object')
    reject('repeated header', 'Send the API key once: a header with it was repeated.');
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined)
    reject(
      'not a bearer',
      'The Authorization header must be `Bearer svc_…`: the word Bearer, a space and the API key.',
    );
  if (bearer !== undefined && plain !== undefined && bearer !== plain)
    reject('two keys', 'Authorization and X-API-Key hold different keys. Send one of them.');
  const key = bearer ?? plain ?? '';
  if (KEY.test(key)) return key;
  if (key.startsWith('svc_device_'))
    reject('a device session', 'This endpoint can’t be used with the session of a device.');
  return TOKEN.test(key)
    ? reject('a token', 'This is a token, not an API key. An API key begins with svc_live_ or svc_test_.')
    : reject(
        'malformed',
        'An API key is svc_live_ or svc_test_ and 48 lower-case hex digits. This one is not.',
      );
}

/** Reports what is wrong with the form. No message reveals whether a well-formed key exists. */
function reject(because: string, message: string): never {
  return fail('invalid_api_key', { because, message });
}

type Found = KeyRow & { key_hash: string } & Omit<
    TenantRow,
    'password_hash' | 'token_version' | 'id' | 'created_at'
  > & {
    tenant_id: string;
    tenant_created_at: Date;
  };

/** A key as it was read. */
interface Known {
  readonly isRevoked: boolean;
  readonly expiresAt: number;
  readonly allowedCidrs: readonly string[] | null;
  /** The caller it identifies, unless the key has ended. */
  readonly principal: Omit<KeyPrincipal, 'isAllowedHere' | 'revalidate'>;
}

async function findKeys(db: Deps['db'], hashes: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const rows = await db.query<Found>(sql.query`
    select k.key_hash, k.id, k.name, k.environment, k.scopes, k.expires_at, k.revoked_at, k.allowed_cidrs, t.id as tenant_id, t.email,
      t.company_name, t.plan, t.status, t.security_policy, t.closes_at, t.created_at as tenant_created_at
    from api_keys k join tenants t on t.id = k.tenant_id where k.key_hash = any(${hashes}::text[])`);
  return new Map(rows.map((row) => [row.key_hash, toKnown(row)]));
}

const toKnown = (row: Found): Known => ({
  isRevoked: row.revoked_at !== null,
  expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  allowedCidrs: row.allowed_cidrs,
  principal: {
    keyId: row.id,
    keyName: row.name,
    environment: row.environment,
    scopes: row.scopes,
    tenant: toTenant({ ...row, id: row.tenant_id, created_at: row.tenant_created_at }),
  },
});

/** A row while requests with the key from this address are accepted. */
const stillAccepted = ({ keyId, tenant }: Known['principal'], ip: string | undefined, now: number) =>
  sql.query`select 1 from api_keys k join tenants t on t.id = k.tenant_id
    where k.tenant_id = ${tenant.id} and k.id = ${keyId} and k.revoked_at is null and t.status = 'active'
      and (k.expires_at is null or k.expires_at > ${new Date(now)})
      and (k.allowed_cidrs is null or ${ip ?? null}::text::inet <<= any(k.allowed_cidrs::cidr[]))`;

/** Reads the key for every request, so a change applies on every node once it is committed. Concurrent requests share a query. */
export function createKeyCheck({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const load = createLoader<string, Known>((hashes) => findKeys(db, hashes));
  return async (credentials: Credentials): Promise<KeyPrincipal> => {
    const key = presentedKey(credentials);
    const known = await load(sha256(key));
    if (known === undefined) fail('invalid_api_key', { because: 'unknown' });
    if (known.isRevoked) fail('invalid_api_key', { because: 'revoked' });
    if (known.expiresAt <= clock.now()) fail('invalid_api_key', { because: 'expired' });
    const { ip } = credentials;
    return {
      ...known.principal,
      isAllowedHere: known.allowedCidrs === null || isWithin(ip, known.allowedCidrs),
      revalidate: (now) => stillAccepted(known.principal, addressOf(ip), now),
    };
  };
}
