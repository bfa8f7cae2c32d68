import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { ed25519Key } from '../../base/crypto/keyring.js';
import type { Random } from '../../base/crypto/random.js';
import type { SealContext, Sealer } from '../../base/crypto/sealer.js';
import type { Scope } from '../../ledger/audit-store.js';

const SECRET_BYTES = 32;

/** The prefixes of Standard Webhooks: a shared secret, and a public key. */
const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';

/** What signs the deliveries of a webhook. */
export interface Signer {
  /** The current secret and, until its grace ends, the one before it. 32 bytes each. */
  readonly secrets: readonly Buffer[];
  readonly signingKey: KeyObject;
}

/** The secret columns of a webhook, sealed. */
interface SealedSecrets {
  readonly id: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_secret_until: Date | null;
  readonly signing_key: string;
}

const contextOf = ({ tenantId, environment }: Scope, id: string, column: string): SealContext => ({
  tenantId,
  environment,
  table: 'webhooks',
  column,
  id,
});

export interface NewSecret {
  /** For the tenant, shown once. */
  readonly text: string;
  readonly sealed: string;
}

export async function newSecret(
  { sealer, random }: { readonly sealer: Sealer; readonly random: Random },
  scope: Scope,
  id: string,
): Promise<NewSecret> {
  const bytes = random.bytes(SECRET_BYTES);
  return {
    text: `${SECRET_PREFIX}${bytes.toString('base64')}`,
    sealed: await sealer.seal('webhooks', contextOf(scope, id, 'secret'), bytes),
  };
}

/** A key pair for receivers that should hold no secret. It stays the same when the secret is replaced. */
export async function newSigningKey(
  { sealer, random }: { readonly sealer: Sealer; readonly random: Random },
  scope: Scope,
  id: string,
): Promise<{ readonly publicKey: string; readonly sealed: string }> {
  const seed = random.bytes(SECRET_BYTES);
  const raw = createPublicKey(ed25519Key(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey: `${PUBLIC_KEY_PREFIX}${raw.toString('base64')}`,
    sealed: await sealer.seal('webhooks', contextOf(scope, id, 'signing_key'), seed),
  };
}

/** Makes the current secret the previous one: a sealed value only opens in its own column. */
export async function retireSecret(sealer: Sealer, scope: Scope, row: SealedSecrets): Promise<string> {
  const bytes = await sealer.open('webhooks', contextOf(scope, row.id, 'secret'), row.secret);
  return sealer.seal('webhooks', contextOf(scope, row.id, 'previous_secret'), bytes);
}

export async function openSigner(
  sealer: Sealer,
  scope: Scope,
  row: SealedSecrets,
  now: number,
): Promise<Signer> {
  const open = (column: 'secret' | 'previous_secret' | 'signing_key', sealed: string) =>
    sealer.open('webhooks', contextOf(scope, row.id, column), sealed);
  const isInGrace = row.previous_secret_until !== null && row.previous_secret_until.getTime() > now;
  const [secret, previous, seed] = await Promise.all([
    open('secret', row.secret),
    row.previous_secret !== null && isInGrace ? open('previous_secret', row.previous_secret) : undefined,
    open('signing_key', row.signing_key),
  ]);
  return { secrets: previous ? [secret, previous] : [secret], signingKey: ed25519Key(seed) };
}

/** The headers of Standard Webhooks. `at` is the time of this attempt, in Unix milliseconds. */
export function signatureHeaders({ secrets, signingKey }: Signer, id: string, at: number, body: string) {
  const timestamp = String(Math.floor(at / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = [
    ...secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`),
    `v1a,${sign(null, Buffer.from(signed), signingKey).toString('base64')}`,
  ];
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
