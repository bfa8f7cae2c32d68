import { type BatchLimits, inBatches } from '../../../db/in-batches.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { type KeyDeps, newKey } from './keys.js';
import * as store from './keys.store.js';

const HOUR_MS = 60 * 60_000;
/** How long a key signs before its successor is created. */
const SIGNING_MS = 90 * 24 * HOUR_MS;
/**
 * A key is published this long before it signs, and stays published this long after another has replaced it. Nodes may cache keys for up
 * to 5 minutes: they publish a next key in time, and what they still sign with a retired key (ID tokens live 1 hour) can be verified.
 */
const PUBLISHED_BEFORE_MS = 24 * HOUR_MS;
const PUBLISHED_AFTER_MS = 2 * HOUR_MS;

/** Few, because each may need a new RSA key. */
const BATCH_SIZE = 20;

type RotationDeps = KeyDeps & Pick<Deps, 'db' | 'write' | 'log'> & BatchLimits;

const scopeOf = ({ tenant_id, environment }: store.DueKey): Scope => ({ tenantId: tenant_id, environment });

/** Replaces the keys that sign ID tokens: `next`, then `current`, then `retired`. A key that fails is tried again in the next run. */
export async function rotateKeys(deps: RotationDeps, now: Date): Promise<void> {
  await forEachDue(deps, 'next', now, PUBLISHED_BEFORE_MS, (key) => promote(deps, key, now));
  await forEachDue(deps, 'retired', now, PUBLISHED_AFTER_MS, async (key) => {
    await unaudited(deps.db, 'oidc keys').mutate(store.deleteRetiredKey(scopeOf(key), key.id));
  });
  await forEachDue(deps, 'current', now, SIGNING_MS, async (key) => {
    const next = await newKey(deps, scopeOf(key), key.alg, 'next');
    await unaudited(deps.db, 'oidc keys').mutate(store.insertKey(scopeOf(key), next, now));
  });
}

/** Does something with each key that has been in a state for `ageMs`, oldest first. */
async function forEachDue(
  deps: RotationDeps,
  state: store.KeyState,
  now: Date,
  ageMs: number,
  change: (key: store.DueKey) => Promise<void>,
): Promise<void> {
  const until = new Date(now.getTime() - ageMs);
  let after: store.DueKey | undefined;
  await inBatches(deps, async () => {
    const keys = await store.listDueKeys(deps.db, state, until, after, BATCH_SIZE);
    for (const key of keys) {
      if (deps.signal?.aborted) return false;
      await change(key).catch((err: unknown) =>
        deps.log.warn({ err, kid: key.id }, 'an OpenID key is changed later'),
      );
    }
    after = keys.at(-1);
    return keys.length === BATCH_SIZE;
  });
}

/** Several nodes may find the same key, and one of them changes it. */
async function promote({ write }: RotationDeps, key: store.DueKey, now: Date): Promise<void> {
  const changed = new Error('Another node changed it');
  const actor = { type: 'system', id: null } as const;
  await write({ scope: scopeOf(key), actor, action: 'oidc.key_rotated' }, async (w) => {
    if (!(await store.promoteKey(w, key, now))) throw changed;
    w.audit({ entityType: 'oidc_key', entityId: key.id, metadata: { alg: key.alg } });
  }).catch((error: unknown) => {
    if (error !== changed) throw error;
  });
}
