import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Deps } from '../../http/deps.js';
import * as store from './demo-idp.store.js';

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'keyring'>;

const generate = promisify(generateKeyPair);

/** RSA: the one kind that both XML signatures and ID tokens know everywhere. */
async function makeKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The keys that this server's secrets open: the current secret's and, during a rotation, the previous one's. */
export async function trustedKeys(deps: KeyDeps, name: store.KeyName): Promise<SigningKey[]> {
  const rows = await store.listKeys(deps.db, name);
  return rows.flatMap(({ key_id, sealed }) => {
    const pem = deps.keyring.decrypt(sealed);
    if (pem === undefined) return [];
    const privateKey = createPrivateKey(pem);
    return [{ keyId: key_id, privateKey, publicKey: createPublicKey(privateKey) }];
  });
}

/** The key that signs: made at its first use, the same on every node. */
export async function signingKey(deps: KeyDeps, name: store.KeyName): Promise<SigningKey> {
  const { kid } = deps.keyring.current;
  const find = async () => (await trustedKeys(deps, name)).find(({ keyId }) => keyId === kid);
  const existing = await find();
  if (existing) return existing;
  const sealed = deps.keyring.encrypt(await makeKey(), deps.random);
  await store.insertKey(deps.db, name, { key_id: kid, sealed }, new Date(deps.clock.now()));
  return (await find()) as SigningKey;
}
