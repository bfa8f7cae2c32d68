import type { AuditRow, ReceiptDecision, ReceiptEnrolment } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { commitmentFromHex } from '@svc/zk/field';
import type { HoursHeader, IncludedRow } from '@svc/zk/time/hours-file';
import { hashOfEvent } from '../codecs/audit-chain.js';
import { isIncluded } from '../receipts/chain/tree.js';
import { readEnrolments, type Sent } from '../receipts/enrolment.js';
import { ReceiptFault } from '../receipts/fault.js';
import type { Findings } from './fault.js';
import type { ProofCheck } from './proofs.js';

interface EnrolmentLine {
  readonly enrolment: readonly ReceiptEnrolment[];
  readonly did: string;
  readonly rows: readonly IncludedRow[];
}

/** Whose a secret is, by the audit chain. */
export interface Owner {
  readonly userId: string;
  /** The number of the entry that put it in force. */
  readonly seq: number;
  /** That of the first secret, by whose proof it came into force. */
  readonly firstSeq: number;
}

/** The secrets of people, by what their proofs show. */
export class Enrolments {
  readonly #owners = new Map<string, Owner>();
  readonly #header: HoursHeader;
  readonly #findings: Findings;

  constructor(header: HoursHeader, findings: Findings) {
    this.#header = header;
    this.#findings = findings;
  }

  get size(): number {
    return this.#owners.size;
  }

  /** How many go back to nothing from before an entry. */
  newerThan(seq: number): number {
    return [...this.#owners.values()].filter((owner) => owner.firstSeq > seq).length;
  }

  async add(line: EnrolmentLine, proofs: ProofCheck, number: number): Promise<void> {
    const { tree } = this.#header;
    const rows = new Map<number, AuditRow>();
    for (const each of line.rows) {
      const isRow = (await hashOfEvent(each.row)) === each.row.hash;
      if (!isRow || !isIncluded(each, tree))
        return this.#findings.add(
          'enrolment_wrong',
          `Entry ${each.row.seq}, which enrolled ${line.did}, is not in the tree.`,
          number,
        );
      rows.set(each.row.seq, each.row);
    }
    try {
      const { tenantId, environment } = this.#header;
      const enrolled = readEnrolments(
        { tenantId, environment } as Statement,
        line as Pick<EnrolmentLine, 'enrolment' | 'did'> as ReceiptDecision,
        rows,
      );
      const [own] = enrolled;
      if (own === undefined) return;
      for (const { authorization } of line.enrolment)
        if (authorization) await proofs.add(authorization, `The enrolment of ${line.did}`, number);
      const commitment = String(commitmentFromHex(own.leaf.commitment));
      const key = `${line.did} ${commitment}`;
      if (this.#owners.has(key))
        return this.#findings.add('enrolment_wrong', `${line.did} is in the file twice.`, number);
      const firstSeq = Math.min(...enrolled.map(({ seq }) => seq));
      this.#owners.set(key, { userId: own.leaf.userId, seq: own.seq, firstSeq });
    } catch (error) {
      if (!(error instanceof ReceiptFault)) throw error;
      this.#findings.add('enrolment_wrong', error.message, number);
    }
  }

  ownerOf({ did, publicSignals: [commitment] }: Sent & { readonly did: string }): Owner | undefined {
    return this.#owners.get(`${did} ${commitment}`);
  }
}
