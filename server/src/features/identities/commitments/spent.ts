import { fail } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { Write } from '../../../ledger/write.js';
import { hashesOf } from '../../sealing/sealing.js';
import * as store from './spent.store.js';

type Hashing = Pick<Deps, 'keyring'>;

/** The keyed hashes of DIDs and commitments: for each of them one with each key, that of the newest key first. */
const hashesIn = (w: Write, deps: Hashing, names: readonly string[]): Promise<string[][]> =>
  hashesOf(
    deps,
    w,
    'names',
    names.map((name) => `${w.scope.tenantId}|${w.scope.environment}|${name}`),
  );

/** Makes sure that nobody uses these DIDs and commitments again, without storing them. There must be a key (`prepareHashing`). */
export async function spendNames(w: Write, deps: Hashing, names: readonly string[]): Promise<void> {
  const hashes = await hashesIn(w, deps, names);
  await store.insertSpent(
    w,
    hashes.map(([newest]) => {
      if (newest === undefined) throw new Error('There is no key to hash names with');
      return newest;
    }),
  );
}

/** 409 if a person who was erased has used the DID or the commitment, as if somebody used it. */
export async function requireUnspent(
  w: Write,
  deps: Hashing,
  { did, commitment }: { readonly did?: string; readonly commitment: string },
): Promise<void> {
  if (!(await store.hasSpent(w))) return;
  const [ofCommitment = [], ofDid = []] = await hashesIn(
    w,
    deps,
    did === undefined ? [commitment] : [commitment, did],
  );
  const spent = await store.listSpent(w, [...ofDid, ...ofCommitment]);
  if (ofDid.some((hash) => spent.has(hash))) fail('did_already_registered', { because: 'erased' });
  if (ofCommitment.some((hash) => spent.has(hash)))
    fail('commitment_already_registered', { because: 'erased' });
}
