import type { Static } from 'typebox';
import { catchError, fail } from '../../../base/errors.js';
import { type BatchLimits, inBatches } from '../../../db/in-batches.js';
import type { Deps } from '../../../http/deps.js';
import { memberIdOf } from '../../../http/principal.js';
import type { ScopedContext } from '../../../http/route.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, reader, type Write } from '../../../ledger/write.js';
import type { AuditAction } from '../../../model/audit-actions.js';
import { nameIn, page } from '../../../records/list.js';
import { iso, isoOrNull } from '../../../records/schema.js';
import { type NoticeContext, warnOwners } from '../../accounts/accounts.js';
import {
  type Enrolled,
  enrolledMetadata,
  readOpening,
  replaceIdentities,
} from '../../identities/identities.js';
import { namesOf, usePrimaryDevice } from '../../users/users.js';
import { close, unlessEnded } from '../closing.js';
import {
  confirmRecovery as markConfirmed,
  mayConfirmRecovery,
  moveSession,
  type SessionRow,
} from '../registrations.store.js';
import type { ListRecoveriesQuery } from './recoveries.schema.js';
import * as store from './recoveries.store.js';

const BATCH_SIZE = 100;

type Held = Pick<SessionRow, 'two_person' | 'contested_at' | 'confirmed_at'>;

export const isHeld = ({ two_person, contested_at, confirmed_at }: Held): boolean =>
  (two_person || contested_at !== null) && confirmed_at === null;

/** How many members have to confirm a recovery: 0, 1 or 2. */
const confirmationsOf = (row: store.RecoveryRow): number =>
  Math.max(
    row.confirmations_needed,
    row.two_person && row.opened_by === null ? 2 : row.two_person || row.contested_at !== null ? 1 : 0,
  );

async function show(read: Read, rows: readonly store.RecoveryRow[]) {
  const names = await namesOf(
    read,
    rows.map((row) => row.user_id),
  );
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    userName: nameIn(names, row.user_id),
    state: row.state,
    openedAt: iso(row.recovery_opened_at),
    openedBy: row.opened_by,
    completesAt: iso(row.completes_at),
    contestedAt: isoOrNull(row.contested_at),
    confirmedAt: isoOrNull(row.confirmed_at),
    held: row.state === 'pending_recovery' && isHeld(row),
    confirmationsNeeded: confirmationsOf(row),
    confirmedBy: row.confirmed_by,
    deviceId: row.device_id,
    did: row.did,
  }));
}

type ListContext = Pick<ScopedContext, 'scope'> & {
  deps: Pick<Deps, 'cursors' | 'history'>;
  query: Static<typeof ListRecoveriesQuery>;
};

export async function recoveryList({ scope, deps, query }: ListContext) {
  const read = deps.history.of(scope);
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    'recoveries',
    query,
    (count, before) => store.listRecoveries(read, query, count, before),
    (row) => row.id,
  );
  return { recoveries: await show(read, items), environment: scope.environment, nextCursor };
}

async function requireRecovery(read: Read, id: string): Promise<store.RecoveryRow> {
  return (await store.findRecovery(read, id)) ?? fail('recovery_not_found');
}

async function showOne(read: Read, id: string) {
  const [recovery] = await show(read, [await requireRecovery(read, id)]);
  return recovery;
}

/** Tells all owners that a recovery was put on hold, or that somebody confirmed it: one owner must not do that without the others. */
export function warnOfRecovery(context: NoticeContext, scope: Scope, row: SessionRow): void {
  const { environment } = scope;
  const whose = `the recovery of the person ${row.user_id} in the ${environment} environment`;
  const waits = isHeld(row) ? ' It waits until more owners confirm it.' : '';
  const isNew = row.confirmed_at === null && row.confirmed_by.length === 0;
  warnOwners(context, scope.tenantId, {
    subject: `a recovery was ${isNew ? 'put on hold' : 'confirmed'} (${environment})`,
    what: isNew
      ? `A phone that was revoked before objects to ${whose}.${waits}`
      : `Somebody confirmed ${whose}.${waits}`,
    advice: 'cancel the recovery.',
    // Also an owner who got a lower role since it was opened.
    also: row.owners ?? [],
  });
}

/** The event of a recovery, which names its person. */
export const auditRecovery = (
  w: Write,
  action: AuditAction,
  { id, user_id: userId }: Pick<SessionRow, 'id' | 'user_id'>,
  metadata: { readonly held?: boolean; readonly identityId?: string } = {},
): void => w.audit({ action, entityType: 'recovery', entityId: id, metadata: { ...metadata, userId } });

type Context = Pick<ScopedContext, 'read' | 'write'> & { readonly deps: Pick<Deps, 'clock'> };
type ConfirmContext = Context & NoticeContext & Pick<ScopedContext, 'scope'> & { readonly principal: object };

async function requirePending(read: Read, id: string): Promise<store.RecoveryRow> {
  const row = await requireRecovery(read, id);
  return row.state === 'pending_recovery' ? row : fail('recovery_closed', { because: row.state });
}

/**
 * Lifts the hold of a recovery, for good unless it is contested for the first time later, once enough members have confirmed it. It never
 * shortens the time until the recovery is completed. One that is not held stays as it is: nobody can confirm a recovery before it is
 * contested, except where the policy asks for it.
 */
export async function confirmRecovery(context: ConfirmContext, id: string) {
  const { read, write, deps, principal, scope } = context;
  const row = await requirePending(read, id);
  const memberId = memberIdOf(principal);
  if (isHeld(row)) {
    // The statement below decides. This says why.
    if (!(await mayConfirmRecovery(read, id, memberId))) fail('other_member_required');
    const now = new Date(deps.clock.now());
    const confirming = write('identity.recovery_confirmed', async (w) => {
      const confirmed = await markConfirmed(w, id, memberId, now);
      if (confirmed === undefined) return fail('recovery_closed', { because: 'concurrently' });
      auditRecovery(w, 'identity.recovery_confirmed', confirmed, { held: isHeld(confirmed) });
      return confirmed;
    });
    // Another request confirmed or ended it first, or this member has confirmed it and others are still needed.
    const confirmed = await catchError('recovery_closed', confirming);
    await requirePending(read, id);
    if (confirmed) warnOfRecovery(context, scope, confirmed);
  }
  return showOne(read, id);
}

/** Ends a recovery without success. */
export async function cancelRecovery({ read, write, deps }: Context, id: string) {
  await requirePending(read, id);
  const now = new Date(deps.clock.now());
  const cancelled = await unlessEnded(
    write('identity.recovery_cancelled', async (w) => {
      const row = await close(w, id, 'cancel', now);
      auditRecovery(w, 'identity.recovery_cancelled', row);
      return showOne(w, id);
    }),
  );
  return cancelled ?? fail('recovery_closed', { because: 'concurrently' });
}

type JobDeps = Pick<Deps, 'anchoring' | 'db' | 'effects' | 'ids' | 'log' | 'random' | 'write'> & BatchLimits;

const SYSTEM = { type: 'system', id: null } as const;

/** Completes one recovery, unless another request ended it first. */
async function completeOne(deps: JobDeps, scope: Scope, due: store.DueRecovery, now: Date): Promise<void> {
  const { id, user_id, identity_id } = due;
  const pending = { recoveryId: id, identityId: identity_id, userId: user_id };
  const opening = await readOpening(reader(deps.db, scope), pending, now);
  const request = { scope, actor: SYSTEM, action: 'registration.completed' } as const;
  await deps.write(request, async (w) => {
    const row = await moveSession(w, id, 'succeed', {}, now);
    if (!row?.identity_id || !row.device_id || !row.user_id)
      return fail('session_not_found', { because: 'ended concurrently' });
    const { device_id: deviceId, user_id: userId, failures: tries, identity_id: identityId } = row;
    let enrolled: Enrolled | undefined;
    w.audit(() => ({
      entityType: 'registration',
      entityId: id,
      metadata: { deviceId, tries, ...(enrolled && enrolledMetadata(enrolled)) },
    }));
    [enrolled] = await Promise.all([
      replaceIdentities(w, deps, identityId, opening, now),
      usePrimaryDevice(w, userId, deviceId, now),
    ]);
    if (enrolled === undefined) return fail('session_not_found', { because: 'its identity was revoked' });
    auditRecovery(w, 'identity.recovery_completed', row, { identityId });
  });
}

/** Ends a recovery whose identity was revoked, for example with its device. */
async function endRevoked(deps: JobDeps, scope: Scope, { id }: store.DueRecovery, now: Date): Promise<void> {
  const request = { scope, actor: SYSTEM, action: 'identity.recovery_cancelled' } as const;
  await deps.write(request, async (w) => {
    auditRecovery(w, 'identity.recovery_cancelled', await close(w, id, 'cancel', now));
  });
}

/**
 * Completes the recoveries that are due, each in its own write, for at most half a minute. One that fails does not stop the others
 * and is tried again in the next run.
 */
export async function completeRecoveries(deps: JobDeps, batchSize = BATCH_SIZE): Promise<void> {
  let last: store.DueRecovery | undefined;
  await inBatches(deps, async () => {
    const now = new Date(deps.clock.now());
    const due = await store.listDue(deps.db, now, last, batchSize);
    for (const recovery of due) {
      last = recovery;
      const { id, tenant_id: tenantId, environment } = recovery;
      const end = recovery.is_revoked ? endRevoked : completeOne;
      try {
        await unlessEnded(end(deps, { tenantId, environment }, recovery, now));
      } catch (err) {
        deps.log.warn({ err, recovery: id }, 'a recovery could not be completed');
      }
    }
    return due.length === batchSize;
  });
}
