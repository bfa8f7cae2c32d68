import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { enrolmentLeaf } from '@svc/zk/approvals/enrolment-leaf';
import type { AuditRow, Authorization, ReceiptDecision, ReceiptEnrolment } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { addBind, boundSignal, commitmentFromHex, commitmentToHex, didHash, rotateBind } from '@svc/zk/field';
import { sha256Hex } from '@svc/zk/prover/sha256';
import type { Rows } from './chain/rows.js';
import { ensure } from './fault.js';

/** What put a commitment in force. Others have no proof of the person's. */
const AUTHORIZED = ['identity.added', 'identity.rotated'];
const ENROLLING = ['identity.register', 'registration.completed', 'identity.leaf_added', ...AUTHORIZED];

/** A commitment of a person, with the row that put it in force. */
export interface Enrolled extends ReceiptEnrolment {
  readonly row: AuditRow;
  readonly did: string;
}

/** A proof to be verified, and the second of its signals as it must be. */
export interface Sent {
  readonly proof: Authorization['proof'];
  readonly publicSignals: Authorization['publicSignals'];
}

/**
 * Checks what the audit chain says of the commitment that decided, and of those that put it in force, newest first. The person is that of
 * the row: nothing else ties a proof to somebody.
 * @throws ReceiptFault `row_missing`, `enrolment_wrong`, `authorization_wrong`
 */
export function readEnrolments(statement: Statement, decision: ReceiptDecision, rows: Rows): Enrolled[] {
  let { did } = decision;
  const enrolled = decision.enrolment.map((enrolment): Enrolled => {
    const own = { ...enrolment, did, row: rowOf(statement, enrolment, did, rows) };
    did = enrolment.authorization?.did ?? '';
    return own;
  });
  for (const [at, each] of enrolled.entries()) checkAuthorization(statement, each, enrolled[at + 1]);
  return enrolled;
}

function rowOf(statement: Statement, { leaf, seq }: ReceiptEnrolment, did: string, rows: Rows): AuditRow {
  const row = rows.get(seq);
  ensure(row !== undefined, 'row_missing', `Row ${seq} of an enrolment is not in the receipt.`);
  const { action, status, metadata } = row;
  const saysSo =
    ENROLLING.includes(action) &&
    status === 'success' &&
    metadata.identity_leaf === enrolmentLeaf(statement, leaf) &&
    metadata.identityId === leaf.identityId &&
    metadata.userId === leaf.userId;
  ensure(saysSo, 'enrolment_wrong', `Row ${seq} does not put this identity in force.`);
  const isOfDid = did !== '' && leaf.didHash === commitmentToHex(didHash(did));
  ensure(isOfDid, 'enrolment_wrong', `The identity that row ${seq} put in force has another DID.`);
  return row;
}

/** Checks the proof of `by` that put a commitment in force, except for the pairing. */
function checkAuthorization(statement: Statement, own: Enrolled, by: Enrolled | undefined): void {
  const { authorization, leaf, row, did } = own;
  const isRight =
    authorization === undefined
      ? by === undefined
      : by !== undefined &&
        AUTHORIZED.includes(row.action) &&
        by.seq < own.seq &&
        by.leaf.userId === leaf.userId &&
        row.metadata.authorizedBy === hashOfProof(authorization) &&
        isCommitment(authorization, by.leaf.commitment) &&
        isBoundTo(authorization, bindOf(statement, authorization, own, by));
  ensure(
    isRight,
    'authorization_wrong',
    `The proof that put the identity of row ${row.seq} in force (${did}) is another one.`,
  );
}

function bindOf(
  { tenantId, environment }: Statement,
  { did, nonce, timestamp: timestampMs }: Authorization,
  { did: newDid, leaf, row }: Enrolled,
  by: Enrolled,
): bigint | undefined {
  const use = { tenantId, environment, nonce, timestampMs, newCommitment: leaf.commitment };
  if (row.action === 'identity.rotated')
    return did === newDid && by.leaf.identityId === leaf.identityId ? rotateBind(use) : undefined;
  return row.metadata.authorizer === by.leaf.identityId ? addBind({ ...use, newDid }) : undefined;
}

const hashOfProof = ({ proof, publicSignals }: Sent): string =>
  sha256Hex(canonicalJson({ proof, publicSignals }));

/** Whether the proof is of the secret behind a commitment. */
export const isCommitment = ({ publicSignals: [commitment] }: Sent, hex: string): boolean =>
  String(commitmentFromHex(hex)) === commitment;

/** Whether a proof by a DID is bound to this value. */
export const isBoundTo = (
  { did, publicSignals: [, signal] }: Sent & { readonly did: string },
  bind: bigint | undefined,
): boolean => bind !== undefined && signal === String(boundSignal(didHash(did), bind));
