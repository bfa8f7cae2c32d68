import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { Statement } from '@svc/zk/approvals/statement';
import { type AuditExportEnd, verifyAuditChain } from '../../codecs/audit-chain.js';
import type { AuditEvent } from '../../generated/api.js';
import type { Decided } from '../decisions.js';
import { ensure } from '../fault.js';
import type { ReceiptCheckOptions } from '../options.js';
import type { KeptHead } from './kept.js';
import type { NamedKeys } from './keys.js';
import type { Rows } from './rows.js';

/** An export of the chain that is whole, extends the head that was kept, and contains the rows of the receipt as far as it goes. */
export interface ReadExport {
  /** Its last row. */
  readonly seq: number;
  /** What ended or replaced an identity of the receipt, in order. */
  readonly ends: readonly AuditEvent[];
  /** The rows in which the approval was used. */
  readonly uses: readonly AuditEvent[];
}

const ENDS_IDENTITY = ['identity.revoked', 'identity.rotated'];

/** @throws ReceiptFault `export_wrong`, `kept_head_differs`, `row_unproven`, or of the signature of its head */
export async function readExport(
  lines: NonNullable<ReceiptCheckOptions['rows']>,
  statement: Statement,
  { decided, rows }: { readonly decided: readonly Decided[]; readonly rows: Rows },
  { kept, keys }: { readonly kept: KeptHead | undefined; readonly keys: NamedKeys },
): Promise<ReadExport> {
  const { tenantId, environment, approvalId } = statement;
  const enrolled = decided.flatMap((each) => each.enrolled);
  const identities = new Set(enrolled.map(({ leaf }) => leaf.identityId));
  const people = new Set(enrolled.map(({ leaf }) => leaf.userId));
  const ends: AuditEvent[] = [];
  const uses: AuditEvent[] = [];
  let differing: AuditRow | undefined;
  async function* noted(): AsyncGenerator<AuditEvent | AuditExportEnd> {
    for await (const line of lines) {
      if (!('head' in line)) {
        const { seq, hash, action, entityId, status } = line;
        const own = rows.get(seq);
        if (own !== undefined && own.hash !== hash) differing ??= own;
        const id = entityId ?? '';
        const isEnd =
          (ENDS_IDENTITY.includes(action) && identities.has(id)) ||
          (action === 'user.erased' && people.has(id));
        if (isEnd && status === 'success') ends.push(line);
        if (action === 'approval.consumed' && id === approvalId && status === 'success') uses.push(line);
      }
      yield line;
    }
  }
  const since = kept && { ...kept, tenantId, keyId: '', publicKey: null, signature: '', at: '' };
  const verdict = await verifyAuditChain(noted(), { tenantId, environment, since });
  if (!verdict.holds) {
    const isKept = verdict.fault === 'kept_head_differs';
    const what = isKept
      ? 'does not reach the head that you kept, or differs from it'
      : `is not valid after row ${verdict.rows}`;
    ensure(false, isKept ? 'kept_head_differs' : 'export_wrong', `The export ${what}.`);
  } else await keys.checkHead(verdict.head, 'The head of the export');
  ensure(
    differing === undefined,
    'row_unproven',
    `Row ${differing?.seq} of the receipt is another one in the export.`,
  );
  return { seq: verdict.rows, ends, uses };
}
