import { hashEnrolment, tagOf, wordOf } from '@svc/chain/leaves';
import { didHash } from '@svc/zk/field';
import { fail } from '../../../base/errors.js';
import { DatabaseUnavailableError } from '../../../db/db.js';
import type { Unchanged as Authorizer, Deps } from '../../../http/deps.js';
import type { AuditMetadata } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { findLeafEvent, type LeafEvent } from '../../../ledger/read-events.js';
import type { Read, Write } from '../../../ledger/write.js';
import { ENROLLING_ACTIONS } from '../../../model/audit-actions.js';
import * as store from './commitments.store.js';
import { isComplete } from './leaf-chains.store.js';

/** A person's commitment, as the audit chain knows it. */
export interface Enrolled {
  readonly identityId: string;
  readonly userId: string;
  readonly did: string;
  readonly commitment: string;
  readonly salt: string;
  /** Hex SHA-256 over all of these (`hashEnrolment`). */
  readonly leaf: string;
}

export const leafOf = (scope: Scope, enrolled: Omit<Enrolled, 'leaf'>): string =>
  hashEnrolment({
    ...enrolled,
    tag: tagOf(scope.tenantId, scope.environment),
    didHash: wordOf(didHash(enrolled.did)),
  });

/** Draws the salt of a commitment that is put in force, and computes its leaf. */
export function enrol(
  { random }: Pick<Deps, 'random'>,
  scope: Scope,
  identity: Omit<Enrolled, 'salt' | 'leaf'>,
): Enrolled {
  const enrolled = { ...identity, salt: random.bytes(32).toString('hex') };
  return { ...enrolled, leaf: leafOf(scope, enrolled) };
}

/** The metadata of the audit event that puts a commitment in force. Neither DID nor commitment is in the chain. */
export const enrolledMetadata = ({ identityId, userId, leaf }: Enrolled) =>
  ({ identityId, userId, identity_leaf: leaf }) satisfies AuditMetadata;

/** Stores a commitment, which nobody can ever use again. */
export const recordCommitment = (
  w: Write,
  enrolled: Enrolled,
  { version, authorization }: Pick<store.NewCommitment, 'version' | 'authorization'>,
  now: Date,
): Promise<void> => store.insertCommitment(w, { ...enrolled, version, authorization }, now);

/** What was read of an identity: its newest commitment, and the audit event that put it in force. */
export interface Opened {
  readonly enrolled: Enrolled;
  readonly version: number;
  readonly recordedAt: Date;
  readonly event: LeafEvent;
}

/** Why an identity is not the one that the audit chain knows. For the log. */
export type Difference =
  | 'no leaf'
  | 'commitment'
  | 'leaf'
  | 'no event'
  | 'event'
  | 'early'
  | 'ended'
  | 'held';

/** An identity that is what the audit chain says of it; or else why it is not. */
async function compareWithChain(read: Read, row: store.EnrolledRow): Promise<Opened | Difference> {
  const { id: identityId, user_id: userId, did, current, version, commitment, salt, leaf, created_at } = row;
  if (version === null || commitment === null || salt === null || leaf === null || created_at === null)
    return 'no leaf';
  if (commitment !== current) return 'commitment';
  const enrolled = { identityId, userId, did, commitment, salt, leaf };
  if (leafOf(read.scope, enrolled) !== leaf) return 'leaf';
  const event =
    (await findLeafEvent(read, { leaf, since: created_at })) ??
    // That of a recovery was recorded when the recovery was opened, and came into force later.
    (row.in_force_at && (await findLeafEvent(read, { leaf, since: row.in_force_at })));
  if (!event) return 'no event';
  const isItself =
    event.identityId === identityId && event.userId === userId && ENROLLING_ACTIONS.has(event.action);
  return isItself ? { enrolled, version, recordedAt: created_at, event } : 'event';
}

/** @throws Failure `identity_changed` after an alarm in the log */
export function refuse(
  { log }: Pick<Deps, 'log'>,
  { scope }: Read,
  identityId: string,
  because: Difference,
): never {
  log.fatal({ ...scope, identityId, because }, 'an identity is not the one that the audit chain knows');
  return fail('identity_changed', { because });
}

/**
 * The newest commitment of an identity with its leaf and event. Undefined if there is no such identity, or it has no leaf yet.
 * @throws Failure `identity_changed` if the database says something else than the audit chain
 */
export async function openLeaf(
  deps: Pick<Deps, 'log'>,
  read: Read,
  did: string,
): Promise<Opened | undefined> {
  const row = await store.findEnrolled(read, { did });
  if (row === undefined || row.leaf === null) return undefined;
  const found = await compareWithChain(read, row);
  return typeof found === 'string' ? refuse(deps, read, row.id, found) : found;
}

/** An identity that may authorize something. */
export interface Unchanged extends Authorizer {
  /** Of its newest commitment. */
  readonly version: number;
}

/**
 * Checks that an identity which authorizes something is what the audit chain says of it, so that a commitment that somebody put
 * into the database authorizes nothing. Call it before the write, whose guarded statement compares the commitment again.
 * Undefined if the identity no longer has that commitment, because it was rotated concurrently.
 * @throws Failure `identity_changed` after an alarm in the log
 */
export async function requireUnchanged(
  deps: Pick<Deps, 'log' | 'random'>,
  read: Read,
  { id, commitment }: { readonly id: string; readonly commitment: string },
): Promise<Unchanged | undefined> {
  const row = await store.findEnrolled(read, { id });
  if (row === undefined) return undefined;
  const found = await compareWithChain(read, row);
  const isFromBefore = found === 'no leaf' && !(await isComplete(read));
  if (typeof found === 'string' && !isFromBefore) return refuse(deps, read, id, found);
  if (row.current !== commitment) return undefined;
  if (typeof found !== 'string') return { version: found.version, ensureLeaf: async () => {} };
  return {
    version: 1,
    async ensureLeaf(w, now) {
      const tag = tagOf(w.scope.tenantId, w.scope.environment);
      const lacking = await store.findUnenrolled(w, tag, id);
      if (lacking) await addLeaf(w, deps, lacking, now);
      // The job may have added it since then. If it has not, the identity differs from its anchor.
      else if (!(await store.findEnrolled(w, { id }))?.leaf) refuse(deps, w, id, 'no leaf');
    },
  };
}

/** Gives an identity from before its leaf. */
export async function addLeaf(
  w: Write,
  deps: Pick<Deps, 'random'>,
  { id, user_id, did, commitment }: store.UnenrolledRow,
  now: Date,
): Promise<void> {
  const enrolled = enrol(deps, w.scope, { identityId: id, userId: user_id, did, commitment });
  w.audit({
    action: 'identity.leaf_added',
    entityType: 'identity',
    entityId: id,
    metadata: enrolledMetadata(enrolled),
  });
  await recordCommitment(w, enrolled, { version: 1, authorization: null }, now);
}

/** The newest commitments of an identity, newest first. */
export const listCommitments = (
  read: Read,
  identityId: string,
  count: number,
): Promise<store.CommitmentRow[]> => store.listCommitments(read, identityId, count);

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof DatabaseUnavailableError)) throw error;
}

/** What a phone keeps of its enrolment, to check later what the audit chain says of it. */
export async function enrolmentOf(read: Read, { identityId, userId, salt, leaf }: Enrolled, since: Date) {
  // The write has committed, so a failure to read must not look like one. GET …/leaf returns `seq` later.
  const event = await findLeafEvent(read, { leaf, since }).catch(unlessUnavailable);
  return { identityId, userId, salt, leaf, seq: event?.seq ?? null };
}
