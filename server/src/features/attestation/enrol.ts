import { attachedHash } from '@svc/zk/attestation';
import { attestBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { type Claim, decide, type PhoneCaller, prove, reject } from '../proofs/proofs.js';
import { assertionOf, insertKey, isKeyTaken, prepareKey, readSent } from './attestation.js';
import * as store from './attestation.store.js';
import { readChallenge } from './challenges.js';
import type { EnrolBody } from './enrol.schema.js';
import { findKey, serializeKey } from './keys.js';
import type { SentKey } from './sent-key.js';

export interface EnrollingCaller extends PhoneCaller {
  /** With the scope `zkp:register`, a key replaces another without its assertion. */
  readonly mayReplace: boolean;
}

/** The new key takes the place of the one that an identity has. */
async function replaceKey(w: Write, { id, revoked_at }: store.KeyRow, now: Date): Promise<void> {
  if (revoked_at !== null || !(await store.revokeKey(w, id, now)))
    fail('attestation_refused', { because: 'revoked concurrently' });
  w.audit({
    action: 'attestation.revoked',
    entityType: 'attestation_key',
    entityId: id,
    metadata: { by: 'replaced' },
  });
}

const isSame = (row: store.KeyRow, { passkey }: SentKey): boolean =>
  row.credential_id === passkey.credentialId && row.public_key === passkey.publicKey;

/**
 * Enrols the key that an identity signs its proofs with. The identity proves that it wants exactly this evidence. Every failure but one of
 * form is the same 401 after the same work: the challenge, the proof, the evidence, and an identity that has another key
 * already. Repeating it with the same key changes nothing.
 */
export async function enrolKey(
  caller: EnrollingCaller & { readonly deps: Pick<Deps, 'config' | 'ids' | 'sealer'> },
  input: Static<typeof EnrolBody>,
) {
  const { deps, scope, read } = caller;
  const did = canonicalDid(input.did);
  const { challenge, evidence, proof, publicSignals } = input;
  const key = await readSent(deps, { ...scope, challenge }, input);
  if ('refused' in key && key.isMalformed) return fail('attestation_malformed', { because: key.refused });
  const claim: Claim = {
    purpose: 'attest',
    action: 'attestation.added',
    failure: 'attestation_refused',
    input: { did, proof, publicSignals, ...readChallenge(deps, { scope, did }, challenge) },
    bindOf: () => attestBind({ ...scope, attachedHash: attachedHash(challenge, evidence) }),
    attested: assertionOf(deps, input.attestation, { subject: challenge }),
  };
  const proved = await prove(caller, claim);
  if ('refused' in key) return reject(caller, claim, 'attestation', key.refused);
  const mayReplace = caller.mayReplace || proved.verified !== undefined;
  const enrolled = await store.findLiveKey(read, proved.prover.id);
  // The phone has lost the response to the request before.
  if (enrolled !== undefined && isSame(enrolled, key))
    return { attestationKey: serializeKey(deps, await findKey(read, enrolled.id)) };
  if (!mayReplace && enrolled !== undefined) return reject(caller, claim, 'attestation', 'it has a key');
  const prepared = await prepareKey(deps, scope, key);
  try {
    await decide(caller, proved, async (w, prover) => {
      const live = await store.findLiveKey(w, prover.id);
      if (live !== undefined && !mayReplace) fail('attestation_refused', { because: 'it has a key' });
      if (live !== undefined) await replaceKey(w, live, proved.at);
      await insertKey(w, { ...prepared, identityId: prover.id }, proved.at);
    });
  } catch (error) {
    if (isKeyTaken(error)) fail('attestation_key_taken');
    throw error;
  }
  return { attestationKey: serializeKey(deps, await findKey(read, prepared.id)) };
}
