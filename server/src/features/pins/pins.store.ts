import { sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';

/** Who set a PIN: the person on their phone or with the one before, a member at a desk, or nobody since a reset. */
export type PinSetter = 'phone' | 'desk' | 'pin' | 'reset';

export interface PinState {
  readonly set_by: PinSetter;
  readonly set_at: Date;
  readonly must_change: boolean;
}

export interface NumberedPerson {
  readonly id: string;
  readonly site_id: string;
  readonly pin_hash: string | null;
  readonly must_change: boolean | null;
}

/** The active person with this number at a site, with their PIN. */
export async function findByNumber(
  read: Read,
  siteId: string,
  number: string,
): Promise<NumberedPerson | undefined> {
  const [row] =
    await read.query<NumberedPerson>(sql.query`select t.id, t.site_id, p.pin_hash, p.must_change from tenant_users t
      left join attendance_pins p on p.tenant_id = ${read.scope.tenantId} and p.environment = ${read.scope.environment} and p.user_id = t.id
    where ${within(read.scope, 't')} and t.site_id = ${siteId} and t.employee_code = ${number} and t.status = 'active'`);
  return row;
}

export async function putPin(
  w: Write,
  userId: string,
  pin: { readonly hash: string | null; readonly mustChange: boolean; readonly by: PinSetter },
  now: Date,
): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into attendance_pins (tenant_id, environment, user_id, pin_hash, must_change, set_by, set_at)
    values (${tenantId}, ${environment}, ${userId}, ${pin.hash}, ${pin.mustChange}, ${pin.by}, ${now})
    on conflict (tenant_id, environment, user_id) do update set pin_hash = excluded.pin_hash,
      must_change = excluded.must_change, set_by = excluded.set_by, set_at = excluded.set_at`);
}

export async function findPin(read: Read, userId: string): Promise<PinState | undefined> {
  const [row] = await read.query<PinState>(sql.query`select set_by, set_at, must_change from attendance_pins
    where ${within(read.scope)} and user_id = ${userId}`);
  return row;
}

export async function deletePin(w: Write, userId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_pins where ${within(w.scope)} and user_id = ${userId}`);
}
