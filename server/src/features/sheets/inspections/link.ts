import { sha256 } from '../../../base/crypto/keyring.js';
import { NIL_UUID, type Random } from '../../../base/crypto/random.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';

const SECRET_BYTES = 24;
const UUID_BYTES = 16;
const ENVIRONMENTS = ['live', 'test'] as const;

/** Stands in for the account of an unknown link, so that the same work is done. No row has this id. */
const NOBODY: Scope = { tenantId: NIL_UUID, environment: 'live' };

/**
 * The secret of a link: a byte of the environment, the account, and 192 random bits. Only its hash is stored. The account says where to look
 * before anything else is known.
 */
export function drawToken({ tenantId, environment }: Scope, random: Random): string {
  const account = Buffer.from(tenantId.replaceAll('-', ''), 'hex');
  const parts = [Buffer.of(ENVIRONMENTS.indexOf(environment)), account, random.bytes(SECRET_BYTES)];
  return Buffer.concat(parts).toString('base64url');
}

/** Where a token says that its inspection is, and the hash by which it is found. */
export function readToken(token: string): { readonly scope: Scope; readonly tokenHash: string } {
  const bytes = Buffer.from(token, 'base64url');
  const environment = ENVIRONMENTS[bytes[0] ?? ENVIRONMENTS.length];
  const isToken = bytes.length === 1 + UUID_BYTES + SECRET_BYTES && bytes.toString('base64url') === token;
  const tenantId = bytes
    .toString('hex', 1, 1 + UUID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return {
    scope: isToken && environment !== undefined ? { tenantId, environment } : NOBODY,
    tokenHash: sha256(token),
  };
}

/** Six digits, each number as likely as any other. */
export function drawCode(random: Random): string {
  for (;;) {
    const value = Buffer.from(random.bytes(4)).readUInt32BE();
    if (value < 4_294_000_000) return String(value % 1_000_000).padStart(6, '0');
  }
}

/** The values that the stored hash of a code may have: with the current secret of the service, and with the one before. */
export const codeHashes = (
  { keyring }: Pick<Deps, 'keyring'>,
  tokenHash: string,
  code: string,
): readonly string[] => keyring.hmacs('codes', `inspection|${tokenHash}|${code}`);
