import type { Environment } from '../../model/environment.js';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import type { KeySet } from './keyring.js';
import type { Random } from './random.js';

/** What a value is sealed for. A value sealed for one purpose does not open for another. */
export type SealPurpose = 'webhooks' | 'oidc' | 'attestation';

/** Where a sealed value is stored. It opens nowhere else. */
export interface SealContext {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/** Encrypts secrets of tenants, so that a stolen database does not contain them. */
export interface Sealer {
  seal(purpose: SealPurpose, context: SealContext, value: Buffer): Promise<string>;
  /** @throws SealError if the value was sealed elsewhere, was changed, or its key is unknown */
  open(purpose: SealPurpose, context: SealContext, sealed: string): Promise<Buffer>;
}

/** A deployment key: 32 random bytes that all nodes share. */
export interface DeploymentKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export interface DeploymentKeys {
  /** The key that new values are sealed with. */
  newest(): Promise<DeploymentKey>;
  find(id: string): Promise<DeploymentKey | undefined>;
}

/** A sealed value or a deployment key cannot be opened. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const VERSION = 'v1';

/** JSON, so that no two places have the same text. */
const boundTo = (purpose: SealPurpose, { tenantId, environment, table, column, id }: SealContext) =>
  JSON.stringify([VERSION, purpose, tenantId, environment, table, column, id]);

/** Undefined for text that `toString('base64url')` does not return, such as one with other unused bits at its end. */
function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** Seals values with AES-256-GCM as `v1.<key id>.<base64url>`. The place of a value is authenticated with it. */
export function createSealer(keys: DeploymentKeys, random: Random): Sealer {
  return {
    async seal(purpose, context, value) {
      const key = await keys.newest();
      const sealed = encryptGcm(key.bytes, value, random, boundTo(purpose, context));
      return `${VERSION}.${key.id}.${sealed.toString('base64url')}`;
    },
    async open(purpose, context, sealed) {
      const [version, keyId = '', data = '', ...rest] = sealed.split('.');
      const bytes = fromBase64url(data);
      if (version !== VERSION || rest.length > 0 || bytes === undefined)
        throw new SealError('The value is not in the form of a sealed value.');
      const key = await keys.find(keyId);
      if (key === undefined) throw new SealError('The value was sealed with an unknown key.');
      const value = decryptGcm(key.bytes, bytes, boundTo(purpose, context));
      if (value === undefined) throw new SealError('The value was sealed elsewhere, or was changed.');
      return value;
    },
  };
}

const boundToKey = (id: string) => JSON.stringify([VERSION, 'sealing-keys', id]);

/** Seals a deployment key under a server secret. */
export const sealKey = (secret: KeySet, { id, bytes }: DeploymentKey, random: Random): string =>
  encryptGcm(secret.symmetric('sealing-keys'), bytes, random, boundToKey(id)).toString('base64url');

/** Undefined if the key was sealed under another secret or with another id, or was changed. */
export function openKey(secret: KeySet, id: string, sealed: string): DeploymentKey | undefined {
  const data = fromBase64url(sealed);
  const bytes = data && decryptGcm(secret.symmetric('sealing-keys'), data, boundToKey(id));
  return bytes && { id, bytes };
}
