import type { SealContext } from '../../base/crypto/sealer.js';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { iso } from '../../records/schema.js';
import * as store from './attestation.store.js';
import { findKey } from './keys.js';
import type { SentKey } from './sent-key.js';
import { placeOf } from './web-authn/client-data.js';
import type { Evidence } from './web-authn/evidence.js';

/** What the evidence of a key is checked with. */
interface Kept {
  readonly challenge: string;
  readonly evidence: Evidence;
}

const contextOf = ({ tenantId, environment }: Scope, id: string): SealContext => ({
  ...{ tenantId, environment, id },
  ...{ table: 'attestation_keys', column: 'evidence' },
});

/** A new key with its id, ready for the write that inserts it. */
export interface PreparedKey extends SentKey {
  readonly id: string;
  readonly sealedEvidence: string;
}

/** Seals the evidence of a new key. Before the write, because the sealing key may have to be read. */
export async function prepareKey(
  { ids, sealer }: Pick<Deps, 'ids' | 'sealer'>,
  scope: Scope,
  key: SentKey,
): Promise<PreparedKey> {
  const id = ids();
  const { challenge, evidence }: Kept = key;
  const text = Buffer.from(JSON.stringify({ challenge, evidence }));
  return { ...key, id, sealedEvidence: await sealer.seal('attestation', contextOf(scope, id), text) };
}

type Context = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Pick<Deps, 'clock' | 'config' | 'sealer'>;
};

/** The evidence of a key with all that a checker needs. Only the hash is left after 30 days. */
export async function readEvidence({ read, scope, deps }: Context, id: string) {
  const key = await findKey(read, id);
  const sealed = await store.findEvidence(read, id, new Date(deps.clock.now()));
  if (sealed === undefined) return fail('attestation_evidence_not_found');
  const text = await deps.sealer.open('attestation', contextOf(scope, id), sealed);
  const { challenge, evidence } = JSON.parse(text.toString()) as Kept;
  return {
    attestationEvidence: {
      ...{ attestationKeyId: key.id, did: key.did, platform: key.platform },
      ...{ tenantId: scope.tenantId, environment: scope.environment },
      origin: placeOf(deps.config.baseUrl).origin,
      ...{ challenge, evidence, evidenceHash: key.evidence_hash },
      enrolledAt: iso(key.created_at),
      keptUntil: iso(store.evidenceEnd(key.created_at)),
    },
  };
}
