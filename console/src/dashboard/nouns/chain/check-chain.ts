import type { AuditVerdict, SignedHead, Svc } from '@svc/sdk';

type Audit = Pick<ReturnType<Svc['console']['audit']>, 'list' | 'verify'>;

/**
 * Verifies the whole audit chain against the first head that this page saw, with that head's key. A later head can't replace it
 * because it would match a chain that was rewritten in between.
 */
export async function checkChain(
  audit: Audit,
  firstHead: { current: SignedHead | undefined },
  {
    tenantId,
    signal,
    onProgress,
  }: {
    readonly tenantId: string | undefined;
    readonly signal: AbortSignal;
    readonly onProgress: (rows: number, of: number) => void;
  },
): Promise<AuditVerdict> {
  const { head } = await audit.list({ limit: 1 }, { signal }).first();
  onProgress(0, head.seq);
  firstHead.current ??= head;
  return audit.verify({
    tenantId,
    since: firstHead.current,
    publicKey: firstHead.current.publicKey ?? undefined,
    signal,
    onProgress: (rows) => onProgress(rows, Math.max(rows, head.seq)),
  });
}
