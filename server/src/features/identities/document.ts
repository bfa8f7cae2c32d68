import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { findDocumented } from './persons.store.js';

/** DID resolution has times without milliseconds. */
const seconds = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * The result of resolving a DID, as the W3C's DID Resolution defines it. The document's only verification method is the commitment
 * in force; each rotation makes a new version. An identity in its cool-down can't authenticate yet.
 */
export async function resolveDid(read: Read, { clock }: Pick<Deps, 'clock'>, given: string) {
  const did = canonicalDid(given);
  const row = (await findDocumented(read, did, new Date(clock.now()))) ?? fail('identity_not_found');
  const version = row.version ?? 1;
  const isDeactivated = row.revoked_at !== null;
  const updated = row.revoked_at ?? (version > 1 ? row.rotated_at : null);
  const method = `${did}#${version}`;
  return {
    didDocument: {
      id: did,
      ...(!isDeactivated && {
        verificationMethod: [
          { id: method, type: 'SvcCommitment', controller: did, commitment: row.commitment },
        ],
        authentication: row.is_in_force ? [method] : [],
      }),
    },
    didDocumentMetadata: {
      created: seconds(row.created_at),
      ...(updated && { updated: seconds(updated) }),
      versionId: String(version),
      deactivated: isDeactivated,
    },
    didResolutionMetadata: { contentType: 'application/did+json' as const },
  };
}
