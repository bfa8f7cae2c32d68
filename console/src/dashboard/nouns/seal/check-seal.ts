import type { RecordVerdict } from '@svc/sdk/receipts';
import { type Environment, svc } from '../../operations/api';

export type CheckedKind = 'device' | 'user' | 'verification' | 'attendance';

/**
 * Checks in this browser that a record says what it said when the audit chain sealed it. The keys of the signatures are those that the
 * service names, and no tree was kept from before.
 */
export async function checkSeal(
  kind: CheckedKind,
  id: string,
  environment: Environment,
): Promise<RecordVerdict> {
  const [{ verifyRecord }, proof, { head }] = await Promise.all([
    import('@svc/sdk/receipts'),
    fetchProof(kind, id, environment),
    svc.request('consoleListAuditEvents', { query: { environment, limit: 1 } }),
  ]);
  return verifyRecord(proof, { keys: head.publicKey === null ? {} : { [head.keyId]: head.publicKey } });
}

function fetchProof(kind: CheckedKind, id: string, environment: Environment) {
  const query = { environment };
  if (kind === 'device') return svc.request('getDeviceProof', { path: { deviceId: id }, query });
  if (kind === 'user') return svc.request('getUserProof', { path: { userId: id }, query });
  if (kind === 'verification')
    return svc.request('getVerificationProof', { path: { verificationId: id }, query });
  return svc.request('getAttendanceProof', { path: { attendanceId: id }, query });
}
