import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyUse, Provider } from './provider.js';

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

type KeyDeps = Pick<Provider, 'keys'>;

const generate = promisify(generateKeyPair);

/** RSA, because every library for XML signatures and ID tokens supports it. */
async function generatePrivateKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The keys that signatures are checked with. */
export async function trustedKeys({ keys }: KeyDeps, use: KeyUse): Promise<SigningKey[]> {
  const stored = await keys.list(use);
  return stored.map(({ id, privateKey: pem }) => {
    const privateKey = createPrivateKey(pem);
    return { keyId: id, privateKey, publicKey: createPublicKey(privateKey) };
  });
}

/** The signing key. It is generated when it is first needed, and is the same on every node. */
export async function signingKey(deps: KeyDeps, use: KeyUse): Promise<SigningKey> {
  const find = async () => (await trustedKeys(deps, use)).find(({ keyId }) => keyId === deps.keys.currentId);
  const existing = await find();
  if (existing) return existing;
  await deps.keys.insert(use, await generatePrivateKey());
  return (await find()) as SigningKey;
}
