import { addBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { assertionOf } from '../attestation/attestation.js';
import {
  enrol,
  enrolledMetadata,
  enrolmentOf,
  inForceFrom,
  insertIdentity,
  mostIdentities,
  nameTaken,
} from '../identities/identities.js';
import { attestedBy, type Claim, decide, type PhoneCaller, prove } from '../proofs/proofs.js';
import { ADDITION_TOPIC, completeAddition } from './additions/additions.js';
import { authorizationOf, NEW_NAMES, readCommitment } from './authorization.js';
import type { AddBody } from './phone.schema.js';
import { countIdentities } from './phones.store.js';

const DAY_MS = 24 * 60 * 60_000;
/** A person's phone could otherwise add and revoke others all day. Each leaves rows that are never deleted. */
const MAX_PER_DAY = 20;

/** 409 if the person has as many identities as the account allows, 429 if they got many of them in the last 24 hours. */
async function requireRoom(w: Write, userId: string, most: number, at: Date): Promise<void> {
  const {
    count,
    recent,
    first_recent: first,
  } = await countIdentities(w, userId, new Date(at.getTime() - DAY_MS));
  if (count >= most) fail('identity_limit_reached');
  if (recent < MAX_PER_DAY || first === null) return;
  const waitMs = Math.min(DAY_MS, first.getTime() + DAY_MS - at.getTime());
  fail('rate_limit_exceeded', {
    message: 'A person can get 20 identities a day.',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Completes the rendezvous that the two phones had, in the write that adds the identity. */
async function requireCompleted(
  w: Write,
  completion: Parameters<typeof completeAddition>[1],
  at: Date,
): Promise<void> {
  const outcome = await completeAddition(w, completion, at);
  if (outcome === 'unknown') fail('addition_not_found');
  if (outcome !== 'completed') fail(outcome === 'rejected' ? 'addition_rejected' : 'addition_closed');
}

/** Adds an identity to the person of another one. Each proves its own secret, with one nonce for both. */
export async function addIdentity(caller: PhoneCaller, input: Static<typeof AddBody>) {
  const did = canonicalDid(input.did);
  const newDid = canonicalDid(input.newDid);
  if (newDid === did) invalid('body.newDid', 'must differ from did');
  const newCommitment = readCommitment(input.newCommitment);
  const additionId = input.additionId?.toLowerCase();
  const claim: Claim = {
    purpose: 'add',
    action: 'identity.added',
    input,
    bindOf: (use) => addBind({ ...use, newDid, newCommitment }),
    attested: assertionOf(caller.deps, input.attestation, { policy: caller.tenant?.securityPolicy }),
    joining: {
      did: newDid,
      commitment: newCommitment,
      sent: { proof: input.newProof, publicSignals: input.newPublicSignals, names: NEW_NAMES },
    },
  };
  const proved = await prove(caller, claim);
  const { deps, read } = caller;
  const { tenant, at } = proved;
  const most = mostIdentities(tenant.securityPolicy);
  const inForceAt = inForceFrom(tenant.securityPolicy, at);
  const { authorization, authorizedBy } = authorizationOf(claim, proved.search);
  try {
    const enrolled = await decide(caller, proved, async (w, { id: authorizer, user_id: userId }) => {
      if (additionId !== undefined)
        await requireCompleted(w, { id: additionId, did, newDid, newCommitment }, at);
      await requireRoom(w, userId, most, at);
      const added = enrol(deps, w.scope, {
        identityId: deps.ids(),
        userId,
        did: newDid,
        commitment: newCommitment,
      });
      w.audit({
        entityType: 'identity',
        entityId: added.identityId,
        metadata: { ...enrolledMetadata(added), authorizedBy, authorizer, ...attestedBy(proved) },
      });
      const source = { externalId: null, attestation: null, authorization, ...(inForceAt && { inForceAt }) };
      await insertIdentity(w, deps, added, source, at);
      return added;
    });
    if (additionId !== undefined) deps.bus.publish(ADDITION_TOPIC, additionId);
    const { userId } = enrolled;
    return {
      identity: {
        did: newDid,
        userId,
        commitment: newCommitment,
        createdAt: iso(at),
        inForceAt: isoOrNull(inForceAt),
      },
      userId,
      enrolment: await enrolmentOf(read, enrolled, at),
    };
  } catch (error) {
    const taken = nameTaken(error);
    if (taken) fail(taken);
    throw error;
  }
}
