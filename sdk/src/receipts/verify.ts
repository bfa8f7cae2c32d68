import { StatementError } from '@svc/zk/approvals/fields';
import type { Receipt } from '@svc/zk/approvals/receipt';
import { readStatement, type Statement, statementDigest } from '@svc/zk/approvals/statement';
import { createMultiple } from '@svc/zk/curve/fixed-base';
import { createMclVerifier } from '@svc/zk/verifier/mcl-verifier';
import { parseProof } from '@svc/zk/verifier/proof';
import type { VerificationKey } from '@svc/zk/verifier/verification-key';
import { MAX_BATCH_SIZE, type Verifier } from '@svc/zk/verifier/verifier';
import { checkCoverage } from './chain/coverage.js';
import { readExport } from './chain/export.js';
import { readKept } from './chain/kept.js';
import { NamedKeys } from './chain/keys.js';
import { readRows } from './chain/rows.js';
import { checkInclusions } from './chain/tree.js';
import { type Decided, readDecisions } from './decisions.js';
import type { Sent } from './enrolment.js';
import { ensure, ReceiptFault, type ReceiptFaultCode } from './fault.js';
import { readReceipt } from './file/form.js';
import type { Findings } from './findings.js';
import { checkInForce } from './in-force.js';
import type { ReceiptCheckOptions } from './options.js';
import { checkQuorum, findOutcome } from './outcome.js';
import { report } from './report.js';
import { pinnedKey } from './setup.js';

export type ReceiptVerdict =
  | (Findings & { readonly ok: true })
  | { readonly ok: false; readonly code: ReceiptFaultCode; readonly message: string };

/**
 * Checks the file of a receipt without the service: that these people approved or declined exactly this, by proofs that only their phones
 * can make. What it rests on is part of the result.
 *
 * @example
 * const verdict = await verifyReceipt(file, { head: keptHead, rows: exportedRows });
 * if (!verdict.ok) throw new Error(`${verdict.code}: ${verdict.message}`);
 * if (verdict.code === 'in_force_unchecked') console.warn('Pass the rows: an identity may have been revoked before.');
 */
export async function verifyReceipt(
  file: string | Uint8Array,
  options: ReceiptCheckOptions = {},
): Promise<ReceiptVerdict> {
  try {
    return await check(readReceipt(file), options);
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error;
    return { ok: false, code: error.code as ReceiptFaultCode, message: error.message };
  }
}

/** What is cheap comes first, the pairings of the proofs last. */
async function check(receipt: Receipt, options: ReceiptCheckOptions): Promise<ReceiptVerdict> {
  const vkey = pinnedKey(receipt.setup, options);
  const statement = statementOf(receipt);
  const digest = statementDigest(statement);
  const rows = await readRows(receipt);
  const decided = readDecisions(receipt, digest, rows);
  checkQuorum(receipt, decided);
  const outcome = findOutcome(receipt, digest, decided, rows);
  checkInclusions(receipt);
  const keys = new NamedKeys(options, statement);
  await checkSignatures(receipt, keys);
  const kept = await readKept(options.head, receipt, keys);
  const exported =
    options.rows && (await readExport(options.rows, statement, { decided, rows }, { kept, keys }));
  for (const seq of rows.keys())
    ensure(
      receipt.tree !== null || (exported !== undefined && seq <= exported.seq),
      'row_unproven',
      `Row ${seq} is neither in a signed tree nor in the export. Fetch the receipt again, or pass a newer export.`,
    );
  const { acceptOperatorEnrolment = false } = options;
  if (!acceptOperatorEnrolment) checkCoverage(decided, kept, receipt, exported);
  ensure(
    (exported?.uses.length ?? 0) <= 1,
    'outcome_wrong',
    'The export says that the approval was used twice.',
  );
  const wasInForce = exported !== undefined && checkInForce(decided, outcome, exported);
  await checkProofs(decided, vkey);
  const facts = { receipt, digest, decided, kept, wasInForce, exported, outcome, acceptOperatorEnrolment };
  return { ok: true, ...report(facts) };
}

function statementOf({ statement, head }: Receipt): Statement {
  try {
    const read = readStatement(statement);
    ensure(head.tenantId === read.tenantId, 'tree_wrong', 'The head of the receipt is of another account.');
    return read;
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const path = error.path === '' ? 'It' : error.path;
    throw new ReceiptFault('statement_invalid', `The statement is not valid: ${path} ${error.message}.`);
  }
}

async function checkSignatures({ tree, head }: Receipt, keys: NamedKeys): Promise<void> {
  if (tree !== null) await keys.checkTree(tree, 'The tree of the receipt');
  await keys.checkHead(head, 'The head of the receipt');
}

const verifiers = new Map<VerificationKey, Promise<Verifier>>();

/** Preparing a key takes longer than a proof, so it is done once. */
function verifierOf(vkey: VerificationKey): Promise<Verifier> {
  const verifier = verifiers.get(vkey) ?? createMclVerifier(vkey, createMultiple);
  verifiers.set(vkey, verifier);
  return verifier;
}

/** All proofs together: one pairing equation for many, which is much faster than one for each. */
async function checkProofs(decided: readonly Decided[], vkey: VerificationKey): Promise<void> {
  const proofs = decided.flatMap(({ decision, enrolled }) => [
    decision,
    ...enrolled.flatMap(({ authorization }) => authorization ?? []),
  ]);
  const verifier = await verifierOf(vkey);
  for (let from = 0; from < proofs.length; from += MAX_BATCH_SIZE) {
    const batch = proofs.slice(from, from + MAX_BATCH_SIZE).map(readProof);
    const verdicts = verifier.verifyBatch(batch.map(({ parsed }) => parsed));
    for (const [at, { did }] of batch.entries())
      ensure(verdicts[at] === true, 'proof_invalid', invalidProof(did));
  }
}

function readProof({ did, proof, publicSignals }: Sent & { readonly did: string }) {
  const read = parseProof(proof, publicSignals);
  ensure(read.ok, 'proof_invalid', invalidProof(did));
  return { did, parsed: read.parsed };
}

const invalidProof = (did: string): string => `A proof of ${did} is not valid.`;
