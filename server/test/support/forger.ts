import { randomUUID } from 'node:crypto';
import { hashEnrolment, tagOf, wordOf } from '@svc/chain/leaves';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { consistencyRanges, inclusionRanges, type LeafRange } from '@svc/zk/approvals/merkle';
import type {
  AuditRow,
  EnrolmentLeaf,
  Receipt,
  ReceiptDecision,
  ReceiptEnrolment,
  ReceiptHead,
  TreeHead,
} from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { approveBind, didHash } from '@svc/zk/field';
import type { PhoneIdentity } from '@svc/zk/phone';
import type { Keyring } from '../../src/base/crypto/keyring.js';
import { signTree } from '../../src/features/audit/tree/signature.js';
import { type AuditEvent, canonicalEvent, linkHash, signHead } from '../../src/ledger/audit-chain.js';
import type { AuditAction } from '../../src/model/audit-actions.js';
import { rootOfRows } from './audit-trees.js';
import { sha256 } from './receipts.js';
import { zk } from './service.js';
import { proveBind } from './several-phones.js';

/** What an operator with the database and `SVC_SECRET` can make: any rows after a head, and any signature of the service. */
export class Forger {
  readonly rows: AuditRow[];
  readonly #keyring: Keyring;
  readonly #scope: Statement;

  constructor(rows: readonly AuditRow[], keyring: Keyring, scope: Statement) {
    this.rows = [...rows];
    this.#keyring = keyring;
    this.#scope = scope;
  }

  /** Appends a row that follows the one before it. */
  append(
    action: AuditAction,
    entityId: string,
    metadata: AuditEvent['metadata'] = {},
    createdAt = this.rows.at(-1)?.createdAt as string,
  ): AuditRow {
    const before = this.rows.at(-1) as AuditRow;
    const { environment } = this.#scope;
    const event: AuditEvent = {
      ...{ id: randomUUID(), seq: before.seq + 1, environment, actorType: 'api_key', actorId: randomUUID() },
      ...{ action, entityType: action.split('.')[0] as string, entityId, status: 'success', summary: '' },
      ...{ createdAt, metadata },
    };
    const row = { ...event, prevHash: before.hash, hash: linkHash(before.hash, canonicalEvent(event)) };
    this.rows.push(row);
    return row;
  }

  /** Changes a row, and links every row after it again. */
  rewrite(seq: number, change: Partial<AuditRow>): void {
    let prevHash = this.rows[seq - 2]?.hash ?? (this.rows[0] as AuditRow).prevHash;
    for (let at = seq - 1; at < this.rows.length; at += 1) {
      const {
        hash: _,
        prevHash: __,
        ...event
      } = { ...(this.rows[at] as AuditRow), ...(at === seq - 1 && change) };
      const hash = linkHash(prevHash, canonicalEvent(event as AuditEvent));
      this.rows[at] = { ...event, prevHash, hash };
      prevHash = hash;
    }
  }

  /** Puts an identity in force, as its row says. */
  enrol(
    action: AuditAction,
    leaf: Omit<EnrolmentLeaf, 'salt' | 'didHash'> & { readonly did: string },
    more: AuditEvent['metadata'] = {},
  ): ReceiptEnrolment {
    const { did, ...ids } = leaf;
    const own = { ...ids, didHash: wordOf(didHash(did)), salt: sha256(randomUUID()) };
    const { tenantId, environment } = this.#scope;
    const identity_leaf = hashEnrolment({ ...own, tag: tagOf(tenantId, environment) });
    const { identityId, userId } = own;
    return {
      leaf: own,
      seq: this.append(action, identityId, { identityId, userId, identity_leaf, ...more }).seq,
    };
  }

  /** Everything about an approval that these decisions lead to. */
  settle(
    statement: Statement,
    decisions: readonly ReceiptDecision[],
    outcome: 'approved' | 'consumed',
  ): void {
    const { approvalId: id } = statement;
    const digest = digestOf(statement);
    this.append('approval.created', id, { digest });
    for (const { decision, enrolment } of decisions) {
      const [{ leaf }] = enrolment as readonly [ReceiptEnrolment];
      const { userId, identityId } = leaf;
      this.append(decision === 'approve' ? 'approval.approved_by' : 'approval.declined_by', id, {
        ...{ userId, identityId, digest },
      });
    }
    this.append('approval.approved', id, { digest });
    if (outcome === 'consumed') this.append('approval.consumed', id, { digest });
  }

  head(keyring = this.#keyring): ReceiptHead {
    const { seq, hash, createdAt } = this.rows.at(-1) as AuditRow;
    const { tenantId, environment } = this.#scope;
    const signed = signHead(keyring.current, tenantId, environment, { seq, hash, at: Date.parse(createdAt) });
    return { tenantId, seq, hash, at: createdAt, publicKey: keyring.current.signing.publicHex, ...signed };
  }

  tree(keyring = this.#keyring): TreeHead {
    const { seq: size, hash, createdAt } = this.rows.at(-1) as AuditRow;
    const root = this.#rootOf({ from: 0, to: size });
    const head = { size, root, hash, at: Date.parse(createdAt) };
    return { ...head, at: createdAt, ...signTree(keyring.current, this.#scope, head) };
  }

  /** The receipt over all rows about these enrolments and this approval, with a tree and a head of the whole chain. */
  receipt(
    statement: Statement,
    decisions: readonly ReceiptDecision[],
    outcome: Receipt['outcome'],
    keyring = this.#keyring,
  ): Receipt {
    const enrolled = new Set(decisions.flatMap(({ enrolment }) => enrolment.map(({ seq }) => seq)));
    const shown = this.rows.filter(
      ({ seq, entityId }) => enrolled.has(seq) || entityId === statement.approvalId,
    );
    const tree = this.tree(keyring);
    return {
      v: 'svc-receipt-1',
      setup: { ...zk.setup, vkeySha256: zk.sha256 },
      ...{ statement, outcome, decisions, tree },
      chain: shown.map((row) => ({
        row,
        inclusion: inclusionRanges(row.seq - 1, tree.size).map((range) => this.#rootOf(range)),
      })),
      head: this.head(keyring),
    };
  }

  /** The receipt as a checker gets it who kept the tree of so many rows. */
  since(from: number, receipt: Receipt): Receipt {
    const proof = consistencyRanges(from, this.rows.length).map((range) => this.#rootOf(range));
    return { ...receipt, consistency: { from, proof } };
  }

  #rootOf({ from, to }: LeafRange): string {
    return Buffer.from(rootOfRows(this.rows.slice(from, to).map(({ hash }) => hash))).toString('hex');
  }
}

const digestOf = (statement: Statement): string => sha256(canonicalJson(statement));

/** The decision of a phone about a statement. */
export async function decisionOf(
  phone: PhoneIdentity,
  statement: Statement,
  enrolment: readonly ReceiptEnrolment[],
  decidedAt = statement.createdAt,
): Promise<ReceiptDecision> {
  const { tenantId, environment, approvalId } = statement;
  const digest = digestOf(statement);
  const bind = approveBind({ tenantId, environment, approvalId, digest, decidedAtMs: Date.parse(decidedAt) });
  const { did, proof, publicSignals } = await proveBind(phone, bind);
  return {
    ...{ did, decision: 'approve', decidedAt, circuit: 'identity_proof', enrolment },
    ...{ proof, publicSignals: publicSignals as ReceiptDecision['publicSignals'] },
  };
}
