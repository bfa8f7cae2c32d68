import { createHmac } from 'node:crypto';
import type { Keyring } from '../../base/crypto/keyring.js';
import { isUuid } from '../../base/crypto/random.js';
import {
  type DeploymentKey,
  type DeploymentKeys,
  openKey,
  SealError,
  sealKey,
} from '../../base/crypto/sealer.js';
import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import * as store from './sealing.store.js';

export type SealingDeps = Pick<Deps, 'db' | 'keyring' | 'random' | 'clock'>;

/** Every column of sealed values. */
export const SEALED_COLUMNS: readonly store.SealedColumn[] = [
  { table: sql`attestation_keys`, column: sql`evidence`, purpose: 'attestation' },
  { table: sql`webhooks`, column: sql`secret`, purpose: 'webhooks' },
  { table: sql`webhooks`, column: sql`previous_secret`, purpose: 'webhooks' },
  { table: sql`webhooks`, column: sql`signing_key`, purpose: 'webhooks' },
  { table: sql`oidc_issuers`, column: sql`subject_salt`, purpose: 'oidc' },
  { table: sql`oidc_keys`, column: sql`private_key`, purpose: 'oidc' },
  { table: sql`oidc_state`, column: sql`payload`, purpose: 'oidc' },
];

/** The form of a sealed value, for PostgreSQL. */
export const SEALED_FORM = '^v1\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[A-Za-z0-9_-]{38,}$';

/** All nodes create the first key under this id, so that one of them succeeds. */
const FIRST_KEY_ID = '00000000-0000-7000-8000-000000000001';
const KEY_BYTES = 32;
/** How old the list of keys may be when a value is sealed. Within that time every node seals with a new key. */
const MAX_LIST_AGE_MS = 60_000;

interface KeyList {
  readonly readAt: number;
  readonly newest: store.KeyRow | undefined;
  readonly keys: ReadonlyMap<string, DeploymentKey>;
}

/** The key of a row. Undefined if the row's secret is neither the current nor the previous one, or the row was changed. */
function open(keyring: Keyring, { id, secret_id, sealed }: store.KeyRow): DeploymentKey | undefined {
  const secret = keyring.find(secret_id);
  return secret && openKey(secret, id, sealed);
}

/**
 * The deployment keys in the database, kept in memory. The first one is created when the first value is sealed. An
 * unknown id is searched in the database, because another node may have created the key.
 */
export function createDeploymentKeys(deps: SealingDeps): DeploymentKeys {
  const { db, keyring, clock } = deps;
  let kept: KeyList | undefined;

  async function read(): Promise<KeyList> {
    const readAt = clock.now();
    const rows = await store.listKeys(db);
    const keys = rows.flatMap((row) => open(keyring, row) ?? []);
    const list = { readAt, newest: rows[0], keys: new Map(keys.map((key) => [key.id, key])) };
    if (kept === undefined || readAt >= kept.readAt) kept = list;
    return list;
  }

  async function readRecent(): Promise<KeyList> {
    if (kept === undefined) return read();
    const age = clock.now() - kept.readAt;
    return age >= 0 && age < MAX_LIST_AGE_MS ? kept : read();
  }

  return {
    async newest() {
      let list = await readRecent();
      if (list.newest === undefined) {
        await insertKey(deps, FIRST_KEY_ID, clock.now());
        list = await read();
      }
      const key = list.keys.get(list.newest?.id ?? '');
      if (key === undefined) throw new SealError('The newest key is sealed under an unknown server secret.');
      return key;
    },
    async find(id) {
      return kept?.keys.get(id) ?? (await read()).keys.get(id);
    },
  };
}

/** What a text is hashed for. */
export type HashPurpose = 'names';

/** Creates the first key if there is none. Not within a transaction, which an embedded database would wait for. */
export async function prepareHashing(deps: SealingDeps): Promise<void> {
  await createDeploymentKeys(deps).newest();
}

/** A key of its own for each purpose, so that no key has two uses. */
function hashWith({ id, bytes }: DeploymentKey, purpose: HashPurpose, text: string): string {
  const key = createHmac('sha256', bytes).update(`svc-hashes-v1|${purpose}`).digest();
  return `${id}.${createHmac('sha256', key).update(text).digest('hex')}`;
}

/**
 * The keyed hashes of each text, as `<key id>.<hex HMAC-SHA256>`: one with each key, that of the newest first. Nobody can compute or
 * check them with the database alone. The keys are read by `through`, so that this can be part of a transaction.
 */
export async function hashesOf(
  { keyring }: Pick<SealingDeps, 'keyring'>,
  through: Pick<Database, 'query'>,
  purpose: HashPurpose,
  texts: readonly string[],
): Promise<string[][]> {
  const keys = (await store.listKeys(through)).flatMap((row) => open(keyring, row) ?? []);
  return texts.map((text) => keys.map((key) => hashWith(key, purpose, text)));
}

async function insertKey({ db, keyring, random }: SealingDeps, id: string, at: number): Promise<void> {
  const sealed = sealKey(keyring.current, { id, bytes: random.bytes(KEY_BYTES) }, random);
  const row = { id, secret_id: keyring.current.kid, sealed, created_at: new Date(at) };
  await unaudited(db, 'sealing keys').mutate(store.insertKey(row));
}

/** Creates a key that is newer than all others, even if their nodes' clocks were ahead. */
export async function createKey(deps: SealingDeps & Pick<Deps, 'ids'>): Promise<void> {
  const [newest] = await store.listKeys(deps.db);
  const after = newest === undefined ? 0 : newest.created_at.getTime() + 1;
  await insertKey(deps, deps.ids(), Math.max(deps.clock.now(), after));
}

/**
 * Seals each key under the current server secret that is sealed under the previous one. Returns how many. Sealed values do
 * not change.
 */
async function resealKeys({ db, keyring, random }: SealingDeps): Promise<number> {
  let resealed = 0;
  for (const row of await store.listKeys(db)) {
    if (row.secret_id === keyring.current.kid) continue;
    const key = open(keyring, row);
    if (key === undefined) throw new SealError(`The key ${row.id} cannot be opened.`);
    const sealed = sealKey(keyring.current, key, random);
    const change = store.updateKey(row, { secret_id: keyring.current.kid, sealed });
    resealed += (await unaudited(db, 'sealing keys').mutate(change)).length;
  }
  return resealed;
}

/** How long a key is kept after a newer one was created. Nodes that still seal with it have stopped by then. */
const KEPT_MS = 60 * 60_000;

/** Deletes the keys that are out of use and that no value is sealed with. Returns how many. */
export async function deleteUnusedKeys({ db, clock }: SealingDeps): Promise<number> {
  const rows = await store.listKeys(db);
  const isOld = (row: store.KeyRow | undefined) => row && row.created_at.getTime() <= clock.now() - KEPT_MS;
  // A key is out of use since the creation of the one before it in the list.
  const outOfUse = rows.filter((_, at) => isOld(rows[at - 1]));
  if (outOfUse.length === 0) return 0;
  const used = await listUsedKeys(db);
  let deleted = 0;
  for (const { id } of outOfUse.filter((row) => !used.has(row.id)))
    deleted += (await unaudited(db, 'sealing keys').mutate(store.deleteKey(id))).length;
  return deleted;
}

async function listUsedKeys(db: Database): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const column of SEALED_COLUMNS) for (const id of await store.listUsedKeys(db, column)) used.add(id);
  for (const id of await store.listHashingKeys(db)) used.add(id);
  return used;
}

const WHICH_SECRET =
  'Set SVC_SECRET_PREVIOUS to the secret that the server used before. During a rotation, remove it only after a start with both secrets (docs/runbooks/key-rotation.md).';
const RESTORE = 'Restore the table sealing_keys from a backup of this database.';

/** Why keys or sealed values cannot be opened, and what the operator can do. */
export interface SealingProblem {
  readonly problem: string;
  readonly next: string;
}

/** Undefined if all keys and sealed values can be opened. Reads all sealed columns. */
export async function findProblem({
  db,
  keyring,
}: Pick<SealingDeps, 'db' | 'keyring'>): Promise<SealingProblem | undefined> {
  // Values first, so that each key that they name is already there.
  const used = await listUsedKeys(db);
  const rows = await store.listKeys(db);
  for (const row of rows) {
    const key = `The key ${row.id} in the table sealing_keys`;
    if (keyring.find(row.secret_id) === undefined)
      return { problem: `${key} is encrypted with another server secret`, next: WHICH_SECRET };
    if (open(keyring, row) === undefined)
      return { problem: `${key} was changed, so it cannot be decrypted`, next: RESTORE };
  }
  const isThere = (id: string) => rows.some((row) => row.id === id);
  if ([...used].every(isThere)) return undefined;
  // A command may just have sealed the values with another key and deleted theirs.
  const still = await listUsedKeys(db);
  const missing = [...used].filter((id) => !isThere(id) && still.has(id));
  if (missing.length === 0) return undefined;
  // A value that is not sealed may be a secret.
  const ids = missing.map((id) => (isUuid(id) ? id : 'an invalid id')).join(', ');
  return {
    problem: `Secrets of tenants are encrypted with keys that are not in the table sealing_keys (${ids})`,
    next: RESTORE,
  };
}

/**
 * Makes sure that all keys and sealed values can be opened, and then that the keys need only the current server secret.
 * Returns how many keys were sealed under it.
 * @throws SealError with the problem and what to do
 */
export async function prepareKeys(deps: SealingDeps): Promise<number> {
  const found = await findProblem(deps);
  if (found !== undefined) throw new SealError(`${found.problem}. ${found.next}`);
  return resealKeys(deps);
}
