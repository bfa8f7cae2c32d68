import { rotateBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { Write } from '../../../ledger/write.js';
import { canonicalDid } from '../../../model/did.js';
import { iso } from '../../../records/schema.js';
import { anchorIdentity } from '../../anchors/anchors.js';
import { forgetOfIdentities } from '../../browsers/browsers.js';
import { endGrantsOfIdentity } from '../../openid-provider/openid-provider.js';
import { endSessionsOfIdentity, issueTokens, openSession, prepareSession } from '../../sessions/sessions.js';
import {
  enrol,
  enrolledMetadata,
  enrolmentOf,
  listCommitments,
  recordCommitment,
} from '../commitments/commitments.js';
import { requireUnspent } from '../commitments/spent.js';
import { nameTaken } from '../identities.js';
import { replaceCommitment } from '../identities.store.js';
import type { RotateBody } from './phone.schema.js';
import {
  attestedBy,
  authorizationOf,
  type Claim,
  decideClaim,
  type PhoneCaller,
  proveClaim,
  readCommitment,
} from './phone-proofs.js';
import type { ProverRow } from './provers.store.js';

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

/** Replaces an identity's commitment, ends its sessions and sign-ins, forgets its browsers, and opens one session. The DID stays. */
export async function rotateIdentity(caller: PhoneCaller, input: Static<typeof RotateBody>) {
  const newCommitment = readCommitment(input.newCommitment);
  const claim: Claim = {
    action: 'identity.rotated',
    input,
    bindOf: (use) => rotateBind({ ...use, newCommitment }),
    attested: { purpose: 'rotate', sent: input.attestation },
    joining: {
      did: canonicalDid(input.did),
      commitment: newCommitment,
      sent: { proof: input.newProof, publicSignals: input.newPublicSignals },
    },
  };
  const proved = await proveClaim(caller, claim);
  const { deps, scope, read } = caller;
  const { at } = proved;
  const { authorization, authorizedBy } = authorizationOf(claim, proved.search);
  const session = prepareSession(deps);
  try {
    const { enrolled, createdAt } = await decideClaim(caller, proved, async (w, prover) => {
      const { id: identityId, user_id: userId, did, commitment } = prover;
      const version = await nextVersion(w, prover, at);
      const renewed = enrol(deps, w.scope, { identityId, userId, did, commitment: newCommitment });
      w.audit({
        entityType: 'identity',
        entityId: identityId,
        metadata: { ...enrolledMetadata(renewed), authorizedBy, version, ...attestedBy(proved) },
      });
      const [isReplaced] = await Promise.all([
        replaceCommitment(w, { id: identityId, from: commitment, to: newCommitment }),
        recordCommitment(w, renewed, { version, authorization }, at),
        requireUnspent(w, deps, { commitment: newCommitment }),
        anchorIdentity(w, deps, { id: identityId, did, commitment: newCommitment }, at),
        endSessionsOfIdentity(w, identityId, at),
        endGrantsOfIdentity(w, identityId, at),
        forgetOfIdentities(w, [identityId]),
        openSession(w, { ...session, identityId, userId }, at),
      ]);
      if (!isReplaced) throw new Error('A locked identity has another commitment');
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
