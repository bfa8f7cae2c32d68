import { wordOf } from '@svc/chain/leaves';
import { commitmentToHex, didHash } from '@svc/zk/field';
import type { Deps } from '../../../http/deps.js';
import { findLeafEvent } from '../../../ledger/read-events.js';
import type { Read } from '../../../ledger/write.js';
import { refuse } from './commitments.js';
import * as store from './commitments.store.js';

/** A commitment with the event that put it in force, and the proof that authorized it. */
export interface TracedEnrolment {
  readonly leaf: {
    readonly identityId: string;
    readonly userId: string;
    readonly didHash: string;
    readonly commitment: string;
    readonly salt: string;
  };
  readonly seq: number;
  readonly authorization?: store.Authorization;
}

/**
 * A commitment, the one whose proof put it in force, and so on, back to one that no other authorized. After `most` of them the list ends
 * without the last `authorization`. Undefined if the person was erased.
 * @throws Failure `identity_changed` after an alarm in the log, if no event puts it in force
 */
export async function traceEnrolment(
  deps: Pick<Deps, 'log'>,
  read: Read,
  from: { readonly did: string; readonly commitment: string },
  most: number,
): Promise<readonly TracedEnrolment[] | undefined> {
  const traced: TracedEnrolment[] = [];
  let next: typeof from | undefined = from;
  while (next !== undefined) {
    const { commitment } = next;
    const row = await store.findAuthorized(read, next);
    if (row === undefined) return undefined;
    const { id: identityId, user_id: userId, did, salt, authorization_proof: authorization } = row;
    const event = await findEnrolling(read, row);
    if (event === undefined) return refuse(deps, read, identityId, 'no event');
    const leaf = { identityId, userId, didHash: wordOf(didHash(did)), commitment, salt };
    const isLast = authorization === null || traced.length + 1 === most;
    traced.push({ leaf, seq: event.seq, ...(!isLast && { authorization }) });
    next = isLast
      ? undefined
      : { did: authorization.did, commitment: commitmentToHex(BigInt(authorization.publicSignals[0])) };
  }
  return traced;
}

/** The event of a recovered identity came later than its commitment. */
const findEnrolling = async (read: Read, { leaf, created_at, in_force_at }: store.AuthorizedRow) =>
  (await findLeafEvent(read, { leaf, since: created_at })) ??
  (in_force_at ? findLeafEvent(read, { leaf, since: in_force_at }) : undefined);
