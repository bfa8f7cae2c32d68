import type { SealedKind } from '@svc/zk/records/kinds';
import { type Sql, sql } from '../../src/db/sql.js';
import { sealChains } from '../../src/features/seals/seals.js';
import type { AuditAction } from '../../src/model/audit-actions.js';
import type { Account, Service } from './service.js';

/** Tables by their kinds. */
export const TABLE_OF: Readonly<Record<'device' | 'user' | 'verification' | 'attendance', Sql>> = {
  device: sql`devices`,
  user: sql`tenant_users`,
  verification: sql`verifications`,
  attendance: sql`attendance`,
};
type OldKind = keyof typeof TABLE_OF;

const HOUR_MS = 60 * 60_000;

/** Records with their entries as a version without seals wrote them, by their kinds. After that, the chains say that all are sealed. */
export async function addOldRecords(
  service: Service,
  { tenantId }: Account,
  count = 3,
): Promise<Record<OldKind, string[]>> {
  const { ids, write } = service.app.deps;
  const made: Record<OldKind, string[]> = { device: [], user: [], verification: [], attendance: [] };
  const at = new Date(service.clock.now());
  const columns: Record<OldKind, (id: string) => Sql> = {
    device: (
      id,
    ) => sql`insert into devices (tenant_id, environment, id, name, device_type, status, enrollment_state, created_at, updated_at)
      values (${tenantId}, 'live', ${id}, 'Old gate', 'kiosk', 'active', 'enrolled', ${at}, ${at})`,
    user: (
      id,
    ) => sql`insert into tenant_users (tenant_id, environment, id, full_name, status, created_at, updated_at)
      values (${tenantId}, 'live', ${id}, 'Old Ada', 'active', ${at}, ${at})`,
    verification: (
      id,
    ) => sql`insert into verifications (tenant_id, environment, id, method, result, reason, occurred_at, created_at)
      values (${tenantId}, 'live', ${id}, 'manual', 'fail', 'no match', ${at}, ${at})`,
    attendance: (
      id,
    ) => sql`insert into attendance (tenant_id, environment, id, user_id, type, result, occurred_at, created_at)
      values (${tenantId}, 'live', ${id}, ${made.user[0]}, 'check_in', 'accepted', ${at}, ${at})`,
  };
  for (const kind of ['device', 'user', 'verification', 'attendance'] as const)
    for (let number = 0; number < count; number += 1) {
      const id = ids();
      await service.db.query(columns[kind](id));
      await enter(write, tenantId, kind, id);
      made[kind].push(id);
    }
  const upgradedAt = new Date(service.clock.now() - HOUR_MS);
  await service.db.query(
    sql`update schema_migrations set applied_at = ${upgradedAt} where name = '0050b_seals_of_pairings'`,
  );
  await sealChains(service.app.deps);
  return made;
}

const enter = (write: Service['app']['deps']['write'], tenantId: string, kind: SealedKind, id: string) =>
  write(
    {
      scope: { tenantId, environment: 'live' },
      actor: { type: 'system', id: null },
      action: `${kind}.created` as AuditAction,
    },
    async (w) => w.audit({ entityType: kind, entityId: id }),
  );
