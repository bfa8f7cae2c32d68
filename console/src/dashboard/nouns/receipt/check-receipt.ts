import type { Receipt } from '@svc/sdk';
import type { ReceiptVerdict } from '@svc/sdk/receipts';
import { type Environment, svc } from '../../operations/api';

/** One byte more than a receipt may have, so that a longer file fails the check. */
const MAX_BYTES = 256 * 1024 + 1;

export interface CheckedReceipt {
  readonly verdict: ReceiptVerdict;
  /** Null for the receipt that the service has now. */
  readonly fileName: string | null;
  /** Of a receipt that passed: whether it is of another approval. */
  readonly isOfAnother: boolean;
  /** Of a receipt that passed: whether its proofs are under development keys. */
  readonly isForgeable: boolean;
}

/**
 * Checks a file, or the receipt that the service has now. The keys of the signatures are those that the service names. No head was kept
 * from before, so the check takes the operator's word on who enrolled. Development keys pass only where the service runs with them.
 */
export async function checkReceipt(
  { id, environment }: { readonly id: string; readonly environment: Environment },
  file: File | undefined,
): Promise<CheckedReceipt> {
  const [{ verifyReceipt }, own, { head }] = await Promise.all([
    import('@svc/sdk/receipts'),
    svc.request('getApprovalReceipt', { path: { id }, query: { environment } }),
    svc.request('consoleListAuditEvents', { query: { environment, limit: 1 } }),
  ]);
  const bytes = file
    ? new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer())
    : new TextEncoder().encode(JSON.stringify(own));
  const verdict = await verifyReceipt(bytes, {
    keys: head.publicKey === null ? {} : { [head.keyId]: head.publicKey },
    acceptOperatorEnrolment: true,
    allowDevelopmentKeys: own.setup.kind === 'development',
  });
  const passed = verdict.ok ? (JSON.parse(new TextDecoder().decode(bytes)) as Receipt) : undefined;
  return {
    verdict,
    fileName: file?.name ?? null,
    isOfAnother: passed !== undefined && passed.statement.approvalId !== id,
    isForgeable: passed?.setup.kind === 'development',
  };
}
