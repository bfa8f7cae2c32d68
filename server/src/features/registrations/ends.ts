import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, reader, type Write } from '../../ledger/write.js';
import type { DeletedRows, OldRows } from '../../records/old-rows.js';
import { close, unlessEnded } from './closing.js';
import { REGISTRATION_TOPIC } from './following/context.js';
import { auditRecovery } from './recoveries/recoveries.js';
import * as store from './registrations.store.js';
import { isOpen, requireOwnSession, requireSession, serializeSession } from './session.js';

const EXPIRY_BATCH_SIZE = 100;

/** Ends an open session or a pending recovery. An ended one does not change. */
export async function abandonSession(
  {
    read,
    write,
    deps,
    principal,
  }: ScopedContext & { readonly deps: Pick<Deps, 'bus' | 'clock'>; readonly principal: Actor },
  id: string,
) {
  const now = deps.clock.now();
  const session = serializeSession(await requireOwnSession(read, principal, id), now);
  const isRecovery = session.state === 'pending_recovery';
  if (!isOpen(session) && !isRecovery) return session;
  const abandoned = await unlessEnded(
    write('registration.abandoned', async (w) => {
      if (isRecovery) requireAct('end_recovery', principal, w.scope.environment, now);
      const row = await close(w, id, isRecovery ? 'cancel' : 'abandon', new Date(now));
      if (isRecovery) auditRecovery(w, 'identity.recovery_cancelled', row);
      return serializeSession(row, now);
    }),
  );
  if (abandoned) deps.bus.publish(REGISTRATION_TOPIC, id);
  return abandoned ?? serializeSession(await requireSession(read, id), deps.clock.now());
}

/**
 * Closes overdue sessions one by one, for at most half a minute. Their devices are revoked, and each closing is in the
 * audit log.
 */
export async function expireSessions(
  deps: Pick<Deps, 'db' | 'write'> & BatchLimits,
  batchSize = EXPIRY_BATCH_SIZE,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const actor = { type: 'system', id: null } as const;
  await inBatches(deps, async () => {
    const rows = await store.listExpired(deps.db, now, batchSize);
    for (const row of rows) {
      const scope: Scope = { tenantId: row.tenant_id, environment: row.environment };
      const request = { scope, actor, action: 'registration.expired' } as const;
      await unlessEnded(deps.write(request, (w) => close(w, row.id, 'expire', now)));
    }
    return rows.length === batchSize;
  });
}

/** Counts the registrations that have ended from before that moment, at most about `limit`. */
export const countOldRegistrations = (read: Read, before: Date, limit: number): Promise<number> =>
  store.countOld(read, before, limit);

/** Deletes a batch of the registrations that have ended from before a moment. */
export const deleteOldRegistrations = (w: Write, old: OldRows): Promise<DeletedRows> =>
  store.deleteOld(w, old);

/**
 * Ends every open ceremony and pending recovery of a chain after a restore: their codes, attempts and objections may have been used
 * since the backup. Returns how many.
 */
export async function abandonRestored(
  deps: Pick<Deps, 'clock' | 'db' | 'write'>,
  scope: Scope,
  batchSize = EXPIRY_BATCH_SIZE,
): Promise<number> {
  const now = new Date(deps.clock.now());
  const request = { scope, actor: { type: 'system', id: null }, action: 'registration.abandoned' } as const;
  let ended = 0;
  for (;;) {
    const rows = await store.listOpen(reader(deps.db, scope), batchSize, now);
    await Promise.all(
      rows.map(({ id, state }) =>
        unlessEnded(
          deps.write(request, async (w) => {
            const isRecovery = state === 'pending_recovery';
            const row = await close(w, id, isRecovery ? 'cancel' : 'abandon', now);
            if (isRecovery) auditRecovery(w, 'identity.recovery_cancelled', row);
          }),
        ),
      ),
    );
    ended += rows.length;
    if (rows.length < batchSize) return ended;
  }
}
