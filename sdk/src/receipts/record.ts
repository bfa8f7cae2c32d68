import { leafHash, verifyInclusion } from '@svc/zk/approvals/merkle';
import type { AuditRow } from '@svc/zk/approvals/receipt';
import { sha256, toHex } from '@svc/zk/prover/sha256';
import { pageIn, recordsIn } from '@svc/zk/records/chain-notes';
import { isTextRemoved, WRITE_ONCE } from '@svc/zk/records/judge';
import { unsealedIn } from '@svc/zk/records/kinds';
import { pageLeaf } from '@svc/zk/records/pages';
import { sealMade } from '@svc/zk/records/seal';
import { fromHex, hashOfEvent } from '../codecs/audit-chain.js';
import type { AuditEvent, SignedTree } from '../generated/api.js';
import { NamedKeys } from './chain/keys.js';
import { isConsistent, isIncluded } from './chain/tree.js';
import { ensure, ReceiptFault, type RecordFaultCode } from './fault.js';
import { headShape, keptTreeShape } from './file/form.js';
import { type RecordProof, readRecordProof } from './file/record-proof.js';
import type { ReceiptCheckOptions } from './options.js';

/**
 * What the checker knows from elsewhere: a tree that was kept (`tree` of `svc.audit.proof`, or of an earlier proof), or the keys. Fetch the
 * proof with the size of the tree as `from`.
 */
export type RecordCheckOptions = Pick<ReceiptCheckOptions, 'head' | 'keys'>;

/** What was checked, in sentences. */
export interface RecordFindings {
  readonly kind: RecordProof['kind'];
  readonly id: string;
  /** The number of the entry that sealed the record, and when that was, in ISO 8601. */
  readonly seq: number;
  readonly at: string;
  /** Whether the tree that was kept has the entry. If not, the record rests on the signature of the service alone. */
  readonly isKept: boolean;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
}

export type RecordVerdict =
  | (RecordFindings & { readonly ok: true })
  | { readonly ok: false; readonly code: RecordFaultCode; readonly message: string };

/**
 * Checks without the service that a record says what it said when an entry of the audit chain sealed it.
 *
 * @example
 * const proof = await svc.verifications.proof(id, { from: keptTree.size });
 * const verdict = await verifyRecord(proof, { head: keptTree });
 * if (!verdict.ok) throw new Error(`${verdict.code}: ${verdict.message}`);
 */
export async function verifyRecord(
  proof: RecordProof,
  options: RecordCheckOptions = {},
): Promise<RecordVerdict> {
  try {
    return { ok: true, ...(await check(readRecordProof(proof), options)) };
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error;
    return { ok: false, code: error.code as RecordFaultCode, message: error.message };
  }
}

async function check(proof: RecordProof, options: RecordCheckOptions): Promise<RecordFindings> {
  const { kind, tree, inclusion, tenantId } = proof;
  const entry = await readEntry(proof);
  checkSeal(proof, entry);
  ensure(
    tree !== null && inclusion !== null,
    'row_unproven',
    `Row ${entry.seq} is in no signed tree yet. Fetch the proof again.`,
  );
  const agrees = entry.seq !== tree.size || entry.hash === tree.hash;
  ensure(
    agrees && isIncluded({ row: entry as AuditRow, inclusion }, tree),
    'tree_wrong',
    `Row ${entry.seq} is not in the tree.`,
  );
  const keys = new NamedKeys(options, { tenantId, environment: entry.environment });
  await keys.checkTree(tree, 'The tree of the proof');
  const kept = await readKept(options.head, proof, tree, keys);
  const id = proof.record.id;
  const isKept = kept !== undefined && entry.seq <= kept;
  if (kept !== undefined && !isKept && !proof.sealedLater)
    checkIsNew(proof, entry, options.head as { readonly at: string });
  const hasText = proof.T === undefined;
  const unsealed = unsealedIn(kind, proof.n, proof.record);
  return {
    ...{ kind, id, seq: entry.seq, at: entry.createdAt, isKept },
    checked: [
      `${hasText ? 'The' : 'Except for its text, which was removed, the'} ${kind} ${id} says what it said when row ${entry.seq} sealed it, at ${entry.createdAt}.`,
      `The row is in the signed tree of ${tree.size} rows${kept === undefined ? '' : `, which extends the tree of ${kept} rows that was kept`}.`,
    ],
    notChecked: [
      'not checked: whether other rows sealed it too. An export of the chain shows that.',
      ...(proof.sealedLater
        ? [`not checked: what it said before row ${entry.seq}, because the service sealed it later.`]
        : []),
      ...(unsealed.length > 0 ? [`not checked: ${unsealed.join(', ')}, which no seal covers.`] : []),
      ...(hasText ? [] : ['not checked: that the person was erased.']),
    ],
    restsOn: [restsOn(kept, isKept, entry.seq)],
  };
}

/** How much the clocks of two nodes may differ. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

/** What nobody changes is sealed when it is made, so what is older than a tree is in it. @throws ReceiptFault `record_resealed` */
function checkIsNew({ kind, record }: RecordProof, { seq }: AuditEvent, kept: { readonly at: string }): void {
  const createdAt = 'createdAt' in record ? record.createdAt : '';
  const isOld = Date.parse(createdAt) < Date.parse(kept.at) - CLOCKS_DIFFER_MS;
  ensure(
    !WRITE_ONCE.has(kind) || !isOld,
    'record_resealed',
    `The ${kind} ${record.id} is older than the tree that you kept, and row ${seq}, which sealed it, is newer.`,
  );
}

const restsOn = (kept: number | undefined, isKept: boolean, seq: number): string => {
  if (isKept) return `It rests on the tree of ${kept} rows, which was kept from before.`;
  const why = kept === undefined ? 'no tree was kept' : `row ${seq} is newer than the tree that was kept`;
  return `It rests on the signature of the service: ${why}.`;
};

/** @internal The entry, as it was hashed. @throws ReceiptFault `record_unknown`, `not_covered`, `row_altered` */
export async function readEntry({ kind, record, entry, n }: RecordProof): Promise<AuditEvent> {
  const what = `the ${kind} ${record.id}`;
  ensure(
    n !== null,
    'not_covered',
    `No seal of ${what} is known. That is right only if it was last written before there were seals, which an export of the chain shows.`,
  );
  ensure(entry !== null, 'record_unknown', `The service named no entry that has sealed ${what}.`);
  const isRow = (await hashOfEvent(entry)) === entry.hash && entry.seq > 0;
  ensure(isRow, 'row_altered', `Row ${entry.seq} of the audit chain was altered.`);
  return entry;
}

/** @internal @throws ReceiptFault `salt_missing`, `record_unknown`, `record_changed` */
export function checkSeal(proof: RecordProof, entry: AuditEvent): void {
  const { kind, record, n, salts, T, sealedLater } = proof;
  const { id } = record;
  const facts = salts?.facts ?? null;
  const text = salts?.text ?? null;
  ensure(
    n !== null && facts !== null && (text !== null || T !== undefined),
    'salt_missing',
    `The ${kind} ${id} cannot be checked: the salt of its seal is gone.`,
  );
  const found = recordsIn(entry).find((each) => each.kind === kind && each.id === id && each.seal);
  ensure(
    found !== undefined || sealedLater !== undefined,
    'record_unknown',
    `Row ${entry.seq} has no seal of the ${kind} ${id}.`,
  );
  const shown = record as unknown as Readonly<Record<string, unknown>>;
  const seal = sealMade({ kind, n, record: shown, salts: { facts, text }, T }, digest);
  const isSealed = found ? found.seal === seal : isOnPage(proof, entry, seal);
  ensure(
    isSealed && (text !== null || isTextRemoved(kind, n, shown)),
    'record_changed',
    `The ${kind} ${id} says something else than when row ${entry.seq} sealed it, at ${entry.createdAt}.`,
  );
}

/** Whether the entry has the root of a page with this seal. */
function isOnPage({ kind, record, sealedLater }: RecordProof, entry: AuditEvent, seal = ''): boolean {
  const page = pageIn(entry);
  if (page?.kind !== kind || sealedLater === undefined) return false;
  const { index, size, proof } = sealedLater;
  const leaf = leafHash(pageLeaf(kind, [record.id, seal]));
  return verifyInclusion({ index, size, leaf, proof: proof.map(bytesOf), root: bytesOf(page.root) });
}

const bytesOf = (hex: string): Uint8Array => fromHex(hex, 32) ?? new Uint8Array();

const digest = (bytes: Uint8Array): string => toHex(sha256(bytes));

/** The size of the tree that was kept, which the tree extends. @throws ReceiptFault `kept_head_differs`, or of its form and signature */
async function readKept(
  head: RecordCheckOptions['head'],
  { tenantId, entry, consistency }: RecordProof,
  tree: SignedTree,
  keys: NamedKeys,
): Promise<number | undefined> {
  if (head === undefined) return undefined;
  const what = 'The head that you kept';
  if (!('root' in head)) {
    headShape(head, 'head');
    ensure(head.tenantId === tenantId, 'kept_head_differs', `${what} is of another account.`);
    await keys.checkHead(head, what);
    const known = [{ seq: tree.size, hash: tree.hash }, ...(entry ? [entry] : [])];
    const agrees = known.every(({ seq, hash }) => seq !== head.seq || hash === head.hash);
    ensure(agrees, 'kept_head_differs', `The proof contradicts the head that you kept, at row ${head.seq}.`);
    return undefined;
  }
  keptTreeShape(head, 'head');
  await keys.checkTree(head, what);
  const proof =
    head.size === tree.size ? [] : consistency?.from === head.size ? consistency.proof : undefined;
  ensure(
    proof !== undefined && isConsistent({ kept: head, tree, proof }),
    'kept_head_differs',
    proof === undefined
      ? `Nothing shows that the tree extends the one that you kept. Fetch the proof with ?from=${head.size}.`
      : 'The tree of the proof does not extend the tree that you kept.',
  );
  return head.size;
}
