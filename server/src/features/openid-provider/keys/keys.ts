import { createHmac, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { SealContext } from '../../../base/crypto/sealer.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { reader, type Write } from '../../../ledger/write.js';
import * as store from './keys.store.js';

const SALT_BYTES = 32;

const contextOf = (scope: Scope, table: 'oidc_issuers' | 'oidc_keys', id: string): SealContext => ({
  ...scope,
  table,
  column: table === 'oidc_issuers' ? 'subject_salt' : 'private_key',
  id,
});

export type KeyDeps = Pick<Deps, 'ids' | 'sealer' | 'keyPairs'>;

/** A new key pair, sealed. The row's id is the `kid` of both halves. */
export async function newKey(
  { ids, sealer, keyPairs }: KeyDeps,
  scope: Scope,
  alg: store.KeyAlg,
  state: store.KeyState,
): Promise<store.NewKeyRow> {
  const id = ids();
  const { publicKey, privateKey } = await keyPairs.generate(scope, alg);
  const asJwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: id, alg, use: 'sig' });
  const text = Buffer.from(JSON.stringify(asJwk(privateKey)));
  const sealed = await sealer.seal('oidc', contextOf(scope, 'oidc_keys', id), text);
  return { id, alg, state, public_jwk: asJwk(publicKey), private_key: sealed };
}

/** The rows of a new issuer, for `createIssuer`. */
export interface PreparedIssuer {
  readonly issuer: store.IssuerRow;
  readonly keys: readonly store.NewKeyRow[];
}

/** Generates the salt and the keys, before the write that inserts them. Undefined if the environment has an issuer. */
export async function prepareIssuer(
  deps: KeyDeps & Pick<Deps, 'db' | 'random'>,
  scope: Scope,
): Promise<PreparedIssuer | undefined> {
  if (await store.findIssuer(reader(deps.db, scope))) return undefined;
  const id = deps.ids();
  const salt = deps.random.bytes(SALT_BYTES);
  const [sealed, ...keys] = await Promise.all([
    deps.sealer.seal('oidc', contextOf(scope, 'oidc_issuers', id), salt),
    ...store.KEY_ALGS.map((alg) => newKey(deps, scope, alg, 'current')),
  ]);
  return { issuer: { id, subject_salt: sealed }, keys };
}

/** Does nothing if another request has created the issuer since. */
export async function createIssuer(w: Write, { issuer, keys }: PreparedIssuer, now: Date): Promise<void> {
  if (!(await store.insertIssuer(w, issuer, now))) return;
  for (const key of keys) await w.mutate(store.insertKey(w.scope, key, now));
}

export interface IssuerKey {
  readonly kid: string;
  readonly alg: store.KeyAlg;
  readonly state: store.KeyState;
  /** With `kid`, `alg` and `use`. */
  readonly privateJwk: JsonWebKey;
}

export interface Issuer {
  /** 32 bytes, for `subjectOf`. */
  readonly salt: Buffer;
  /** The current keys first, then the next and the retired ones. All are published; only the current ones sign. */
  readonly keys: readonly IssuerKey[];
}

/** Undefined until the environment's first client was created. */
export async function readIssuer(
  { db, sealer }: Pick<Deps, 'db' | 'sealer'>,
  scope: Scope,
): Promise<Issuer | undefined> {
  const read = reader(db, scope);
  // One after the other: an issuer that is there has its keys.
  const issuer = await store.findIssuer(read);
  if (issuer === undefined) return undefined;
  const rows = await store.listKeys(read);
  const [salt, ...keys] = await Promise.all([
    sealer.open('oidc', contextOf(scope, 'oidc_issuers', issuer.id), issuer.subject_salt),
    ...rows.map(({ id, private_key }) => sealer.open('oidc', contextOf(scope, 'oidc_keys', id), private_key)),
  ]);
  return {
    salt,
    keys: rows.map(({ id, alg, state }, at) => ({
      kid: id,
      alg,
      state,
      privateJwk: JSON.parse(String(keys[at])) as JsonWebKey,
    })),
  };
}

/** A text with its length in front, so that no two lists of texts are the same bytes. */
function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const pseudonym = (salt: Buffer, ...texts: readonly string[]): string =>
  texts.reduce((hmac, text) => hmac.update(withLength(text)), createHmac('sha256', salt)).digest('base64url');

/** The pairwise `sub` of a user for all clients of a sector: 43 characters. Without the salt it tells nothing about the user. */
export const subjectOf = (salt: Buffer, sector: string, userId: string): string =>
  pseudonym(salt, sector, userId);

/** What a client gets instead of the id of a verification, or two of them could find out who signed in to both. */
export const verificationOf = (salt: Buffer, clientId: string, verificationId: string): string =>
  pseudonym(salt, 'verification', clientId, verificationId);
