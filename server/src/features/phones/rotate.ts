import { rotateBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso } from '../../records/schema.js';
import { assertionOf } from '../attestation/attestation.js';
import {
  enrol,
  enrolledMetadata,
  enrolmentOf,
  listCommitments,
  nameTaken,
  replaceSecret,
} from '../identities/identities.js';
import { attestedBy, type Claim, decide, type PhoneCaller, type ProverRow, prove } from '../proofs/proofs.js';
import { issueTokens, openSession, prepareSession } from '../sessions/sessions.js';
import { authorizationOf, NEW_NAMES, readCommitment } from './authorization.js';
import type { RotateBody } from './phone.schema.js';

const DAY_MS = 24 * 60 * 60_000;
const ROTATIONS_PER_DAY = 3;
/** Those, and the commitment before them. */
const RECENT = ROTATIONS_PER_DAY + 1;

/** The version of the next commitment. 429 if the identity has had its rotations of the last 24 hours. */
async function nextVersion(w: Write, { id }: ProverRow, at: Date): Promise<number> {
  const newest = await listCommitments(w, id, RECENT);
  const recent = newest.filter(
    ({ version, created_at }) => version > 1 && created_at.getTime() > at.getTime() - DAY_MS,
  );
  const oldest = recent[ROTATIONS_PER_DAY - 1];
  if (oldest !== undefined) {
    const waitMs = Math.min(DAY_MS, oldest.created_at.getTime() + DAY_MS - at.getTime());
    fail('rate_limit_exceeded', {
      message: 'An identity can be rotated three times a day.',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  return (newest[0]?.version ?? 1) + 1;
}

/** Replaces an identity's commitment, ends what depends on the old one, and opens one session. The DID stays. */
export async function rotateIdentity(caller: PhoneCaller, input: Static<typeof RotateBody>) {
  const newCommitment = readCommitment(input.newCommitment);
  const claim: Claim = {
    purpose: 'rotate',
    action: 'identity.rotated',
    input,
    bindOf: (use) => rotateBind({ ...use, newCommitment }),
    attested: assertionOf(caller.deps, input.attestation, { policy: caller.tenant?.securityPolicy }),
    joining: {
      did: canonicalDid(input.did),
      commitment: newCommitment,
      sent: { proof: input.newProof, publicSignals: input.newPublicSignals, names: NEW_NAMES },
    },
  };
  const proved = await prove(caller, claim);
  const { deps, scope, read } = caller;
  const { at } = proved;
  const { authorization, authorizedBy } = authorizationOf(claim, proved.search);
  const session = prepareSession(deps);
  try {
    const { enrolled, createdAt } = await decide(caller, proved, async (w, prover) => {
      const { id: identityId, user_id: userId, did, commitment } = prover;
      const version = await nextVersion(w, prover, at);
      const renewed = enrol(deps, w.scope, { identityId, userId, did, commitment: newCommitment });
      w.audit({
        entityType: 'identity',
        entityId: identityId,
        metadata: { ...enrolledMetadata(renewed), authorizedBy, version, ...attestedBy(proved) },
      });
      await Promise.all([
        replaceSecret(w, deps, renewed, { replaced: commitment, version, authorization }, at),
        openSession(w, { ...session, identityId, userId }, at),
      ]);
      return { enrolled: renewed, createdAt: prover.created_at };
    });
    const { userId, did } = enrolled;
    return {
      identity: { did, userId, commitment: newCommitment, createdAt: iso(createdAt) },
      enrolment: await enrolmentOf(read, enrolled, at),
      ...issueTokens(deps, scope, {
        sessionId: session.id,
        userId,
        did,
        refreshToken: session.refreshToken,
      }),
    };
  } catch (error) {
    const taken = nameTaken(error);
    if (taken) fail(taken);
    throw error;
  }
}
