import { createPublicKey, hash, sign } from 'node:crypto';
import { ed25519Key, type KeySet } from '../../../base/crypto/keyring.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { SignedTree } from './tree.js';

type NoteDeps = Pick<Deps, 'config' | 'keyring'>;

/** The type of Ed25519 keys in C2SP signed-note. */
const ED25519 = Buffer.from([1]);

const privateKeyOf = (keys: KeySet) => ed25519Key(keys.symmetric('audit-checkpoints'));

/** The name of the log and of its key. Tenants are not to be recognized by it. It has no space and no plus sign. */
function originOf({ config, keyring }: NoteDeps, { tenantId, environment }: Scope): string {
  const { host } = new URL(config.baseUrl);
  return `${host}/${keyring.hmac('checkpoint-origins', `${tenantId}|${environment}`)}`;
}

function keyOf(deps: NoteDeps, scope: Scope) {
  const origin = originOf(deps, scope);
  const privateKey = privateKeyOf(deps.keyring.current);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key = Buffer.concat([ED25519, spki.subarray(-32)]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${origin}\n`), key]), 'buffer').subarray(0, 4);
  return { origin, privateKey, id, key };
}

/** The key that verifies the checkpoints of a chain (c2sp.org/signed-note, verifier keys). */
export function checkpointKey(deps: NoteDeps, scope: Scope): string {
  const { origin, id, key } = keyOf(deps, scope);
  return `${origin}+${id.toString('hex')}+${key.toString('base64')}`;
}

/** The tree as a signed note (c2sp.org/tlog-checkpoint). */
export function checkpointOf(deps: NoteDeps, scope: Scope, { size, root }: SignedTree): string {
  const { origin, privateKey, id } = keyOf(deps, scope);
  const text = `${origin}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`;
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n— ${origin} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}
