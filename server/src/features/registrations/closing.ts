import { catchError, fail } from '../../base/errors.js';
import type { AuditEntry, Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { forgetCodes } from '../codes/codes.js';
import { revokePhone } from '../devices/devices.js';
import { discardIdentity } from '../identities/identities.js';
import * as store from './registrations.store.js';

const ENDS = {
  abandon: 'registration.abandoned',
  cancel: 'registration.abandoned',
  expire: 'registration.expired',
} as const satisfies Partial<Record<string, AuditAction>>;

/**
 * Ends a session without success: deletes its codes, revokes its device and, if it was a recovery, deletes the identity that waited
 * for it. A session ends only once. Single failed attempts are not audited, so the audit row of the end has their number.
 */
export async function close(
  w: Write,
  id: string,
  move: keyof typeof ENDS,
  now: Date,
  how: Pick<AuditEntry, 'status' | 'metadata'> = {},
): Promise<store.SessionRow> {
  let moved: store.SessionRow | undefined;
  w.audit(() => ({
    action: ENDS[move],
    entityType: 'registration',
    entityId: id,
    ...how,
    metadata: { ...how.metadata, tries: moved?.failures ?? 0 },
  }));
  [moved] = await Promise.all([
    store.moveSession(w, id, move, {}, now),
    forgetCodes(w, id),
    revokePhone(w, id, now),
  ]);
  if (moved === undefined) return fail('session_not_found', { because: 'ended concurrently' });
  if (moved.identity_id) await discardIdentity(w, moved.identity_id);
  return moved;
}

/** Undefined if another request ended the session first. Nothing is then written. */
export const unlessEnded = <T>(closing: Promise<T>) => catchError('session_not_found', closing);
