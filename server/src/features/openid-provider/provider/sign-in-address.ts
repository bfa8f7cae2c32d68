import { equalSecrets } from '../../../base/crypto/keyring.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';

type Keys = Pick<Deps, 'keyring'>;

/** The last part of a sign-in page's address: the identifier of the sign-in, then its tenant, its environment and a MAC over all three. */
export const SLUG = {
  pattern: /^[\w-]{21,64}\.[\w-]{44}$/,
  example: 'V1StGXR8_Z5jdHi6B-myT.AYkKXaySd0u8zrMCCZqAVwBx5h6m3qJwYfM0c2sLq1mP',
};

/** As one byte. */
const ENVIRONMENTS = ['live', 'test'] as const;
/** Tenant, environment and MAC in hex. */
const SEAL = /^(.{32})(..)(.{32})$/;
const MAC_LENGTH = 32;

const textOf = ({ tenantId, environment }: Scope, uid: string) => `${tenantId}|${environment}|${uid}`;

/** Names a sign-in in the address of its page. Only this service can make one up, so a wrong one is found without a query. */
export function slugOf({ keyring }: Keys, scope: Scope, uid: string): string {
  const tenant = scope.tenantId.replaceAll('-', '');
  const environment = `0${ENVIRONMENTS.indexOf(scope.environment)}`;
  const mac = keyring.hmac('sign-in-addresses', textOf(scope, uid)).slice(0, MAC_LENGTH);
  return `${uid}.${Buffer.from(tenant + environment + mac, 'hex').toString('base64url')}`;
}

/** The sign-in that an address names. Undefined if this service did not make the address. */
export function readSlug({ keyring }: Keys, slug: string): { scope: Scope; uid: string } | undefined {
  const [uid = '', seal = ''] = slug.split('.');
  const [, tenant = '', code = '', mac = ''] =
    SEAL.exec(Buffer.from(seal, 'base64url').toString('hex')) ?? [];
  const tenantId = tenant.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const environment = ENVIRONMENTS[Number.parseInt(code, 16)];
  if (environment === undefined) return undefined;
  const scope = { tenantId, environment };
  const isOurs = keyring
    .hmacs('sign-in-addresses', textOf(scope, uid))
    .some((own) => equalSecrets(own.slice(0, MAC_LENGTH), mac));
  return isOurs ? { scope, uid } : undefined;
}
