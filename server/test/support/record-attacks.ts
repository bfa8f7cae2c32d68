import type { RecordFault } from '@svc/zk/records/judge';
import type { SealedKind } from '@svc/zk/records/kinds';
import { type Sql, sql } from '../../src/db/sql.js';
import { applyRetention } from '../../src/features/retention/retention.js';
import { verifications } from '../../src/features/verifications/verifications.store.js';
import type { AuditEntry } from '../../src/ledger/write.js';
import type { AuditAction } from '../../src/model/audit-actions.js';
import type { Account, Service } from './service.js';

const DAY = 24 * 60 * 60_000;

/** Records of each kind in a new account, by their ids. */
export interface MadeRecords {
  readonly service: Service;
  readonly account: Account;
  readonly device: string;
  readonly user: string;
  readonly other: string;
  readonly failed: string;
  readonly passed: string;
  readonly checkIn: string;
}

/** What somebody does who has the database, and what is then found. */
export interface RecordAttack<Made = MadeRecords> {
  attack(on: Made): Promise<unknown>;
  faults(on: Made): readonly (readonly [fault: RecordFault, kind: SealedKind, id: string])[];
}

export async function send(
  { service, account }: Pick<MadeRecords, 'service' | 'account'>,
  path: string,
  body: object,
  method = path.split('/').length > 3 ? 'PATCH' : 'POST',
) {
  const { status, text, body: reply } = await service.call(method, path, { as: account.key, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return reply;
}

export async function makeRecords(service: Service, account: Account): Promise<MadeRecords> {
  const on = { service, account };
  const { device } = await send(on, '/v1/devices', { name: 'Main gate', locationId: 'lobby' });
  const { user } = await send(on, '/v1/users', { fullName: 'Ada', metadata: { shift: 1.5 } });
  const { user: other } = await send(on, '/v1/users', { fullName: 'Bo' });
  const event = { userId: user.id, deviceId: device.id, metadata: { gate: 'ä' } };
  const face = (result: object) => send(on, '/v1/verifications', { method: 'face', ...result, ...event });
  const { verification: failed } = await face({ result: 'fail', reason: 'no match' });
  const { verification: passed } = await face({ result: 'pass' });
  const { attendance } = await send(on, '/v1/attendance', { type: 'check_in', ...event });
  return {
    ...{ ...on, device: device.id, user: user.id, other: other.id },
    ...{ failed: failed.id, passed: passed.id, checkIn: attendance.id },
  };
}

export async function eraseUser({ service, account }: MadeRecords, id: string, events: 'keep' | 'strip') {
  const as = await service.createKey(account, 'live', ['users:erase']);
  await service.call('POST', `/v1/users/${id}/erase`, { as, body: { reason: 'request', events } });
}

export const run = ({ service }: MadeRecords, statement: Sql) =>
  service.db.query<{ earlier?: object }>(statement);

/** The time of all records is over, and they are deleted. */
export async function retire(on: MadeRecords): Promise<void> {
  on.service.clock.advance(400 * DAY);
  await run(
    on,
    sql`update tenants set security_policy = jsonb_set(security_policy::jsonb, '{retention_days}', '30')
      where id = ${on.account.tenantId}`,
  );
  await applyRetention(on.service.app.deps);
}

/** The row of a record, to be put back later. */
export async function keepRow(
  on: MadeRecords,
  table: Sql,
  id: string,
): Promise<(changes?: object) => Promise<unknown>> {
  const [row] = await run(on, sql`select to_jsonb(t) as earlier from ${table} t where id = ${id}`);
  return async (changes = {}) => {
    await run(on, sql`delete from ${table} where id = ${id}`);
    const json = JSON.stringify({ ...row?.earlier, ...changes });
    await run(on, sql`insert into ${table} select (jsonb_populate_record(null::${table}, ${json}::jsonb)).*`);
  };
}

/** What somebody can do who has the database and the server's secret. */
export async function rewriteVerification(
  { service, account }: Pick<MadeRecords, 'service' | 'account'>,
  id: string,
): Promise<void> {
  const scope = { tenantId: account.tenantId, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  await service.app.deps.write({ scope, actor, action: 'verification.created' }, async (w) => {
    w.audit({ entityType: 'verification', entityId: id, metadata: { method: 'face', result: 'pass' } });
    const seal = w.seal('verification');
    const [row] =
      await w.mutate(sql.mutation`update verifications set result = 'pass', reason = null, ${seal.assignments}
      where tenant_id = ${scope.tenantId} and environment = 'live' and id = ${id} returning ${verifications.list}`);
    seal.place(verifications.serialize(row as never));
  });
}

export const INSERTED = '01890000-0000-7000-8000-000000000002';

/** As a version did that knew no seals. */
const insertUnsealed = ({ service, account }: MadeRecords) =>
  service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
    values (${account.tenantId}, 'live', ${INSERTED}, 'manual', 'pass', ${new Date(service.clock.now())}, ${new Date(service.clock.now())})`);

/** Also with the server's secret. */
async function enter(
  { service, account }: Pick<MadeRecords, 'service' | 'account'>,
  action: AuditAction,
  entry: AuditEntry,
) {
  const scope = { tenantId: account.tenantId, environment: 'live' } as const;
  const actor = { type: 'system', id: null } as const;
  await service.app.deps.write({ scope, actor, action }, async (w) => w.audit(entry));
}

export const sayAllAreSealed = (on: MadeRecords) =>
  enter(on, 'chain.records_sealed', { entityType: 'tenant', entityId: on.account.tenantId });

/**
 * What a node of a version without seals does while others know them: it makes a person and a verification, and changes a device and a
 * person that have seals. Returns what it made.
 */
export async function withoutSeals(on: MadeRecords): Promise<readonly string[]> {
  const { service, account, device, user } = on;
  const now = new Date(service.clock.now());
  const [person, verification] = [INSERTED.replace(/2$/, '3'), INSERTED.replace(/2$/, '4')];
  await service.db.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, status, created_at, updated_at)
    values (${account.tenantId}, 'live', ${person}, 'Eve', 'active', ${now}, ${now})`);
  await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, user_id, occurred_at, created_at)
    values (${account.tenantId}, 'live', ${verification}, 'manual', 'pass', ${person}, ${now}, ${now})`);
  await service.db.query(sql`update devices set name = 'Old gate', updated_at = ${now} where id = ${device}`);
  await service.db.query(
    sql`update tenant_users set primary_device_id = ${device}, updated_at = ${now} where id = ${user}`,
  );
  await enter(on, 'user.created', { entityType: 'user', entityId: person });
  await enter(on, 'verification.created', { entityType: 'verification', entityId: verification });
  await enter(on, 'device.updated', { entityType: 'device', entityId: device });
  const metadata = { deviceId: device, userId: user };
  await enter(on, 'registration.completed', { entityType: 'registration', entityId: INSERTED, metadata });
  return [person, verification];
}

/** By what was done. */
export const RECORD_ATTACKS: Readonly<Record<string, RecordAttack>> = {
  'a failed verification that was made to pass': {
    attack: (on) =>
      run(on, sql`update verifications set result = 'pass', reason = null where id = ${on.failed}`),
    faults: ({ failed }) => [['record_changed', 'verification', failed]],
  },
  'a check-in that was moved by an hour': {
    attack: (on) =>
      run(
        on,
        sql`update attendance set occurred_at = occurred_at + interval '1 hour' where id = ${on.checkIn}`,
      ),
    faults: ({ checkIn }) => [['record_changed', 'attendance', checkIn]],
  },
  'a check-in that was moved to another person': {
    attack: (on) => run(on, sql`update attendance set user_id = ${on.other} where id = ${on.checkIn}`),
    faults: ({ checkIn }) => [['record_changed', 'attendance', checkIn]],
  },
  'a text that was changed': {
    attack: (on) => run(on, sql`update verifications set metadata = '{"gate": "b"}' where id = ${on.passed}`),
    faults: ({ passed }) => [['record_changed', 'verification', passed]],
  },
  'a record that was deleted': {
    attack: (on) => run(on, sql`delete from attendance where id = ${on.checkIn}`),
    faults: ({ checkIn }) => [['record_missing', 'attendance', checkIn]],
  },
  'a record that was inserted': {
    attack: (on) =>
      run(
        on,
        sql`insert into verifications select (jsonb_populate_record(t, ${JSON.stringify({ id: INSERTED })}::jsonb)).*
          from verifications t where id = ${on.passed}`,
      ),
    faults: () => [['record_unknown', 'verification', INSERTED]],
  },
  'a record that was inserted as one from before there were seals': {
    attack: insertUnsealed,
    faults: () => [['record_unknown', 'verification', INSERTED]],
  },
  'a record that was written without a seal when all have one': {
    attack: async (on) => {
      await sayAllAreSealed(on);
      await insertUnsealed(on);
      await enter(on, 'verification.created', { entityType: 'verification', entityId: INSERTED });
    },
    faults: () => [['seal_missing', 'verification', INSERTED]],
  },
  'a record without a seal that a sign-in names when all have one': {
    attack: async (on) => {
      await sayAllAreSealed(on);
      await insertUnsealed(on);
      const metadata = { verificationId: INSERTED };
      await enter(on, 'identity.verify', { entityType: 'identity', entityId: on.user, metadata });
    },
    faults: () => [['record_unknown', 'verification', INSERTED]],
  },
  'two people whose names were swapped': {
    attack: (on) =>
      run(
        on,
        sql`update tenant_users set full_name = case full_name when 'Ada' then 'Bo' else 'Ada' end
          where tenant_id = ${on.account.tenantId}`,
      ),
    faults: ({ user, other }) => [
      ['record_changed', 'user', user],
      ['record_changed', 'user', other],
    ],
  },
  'a device whose earlier row was put back, with its salts': {
    async attack(on) {
      const putBack = await keepRow(on, sql`devices`, on.device);
      await send(on, `/v1/devices/${on.device}`, { name: 'Side gate' });
      await putBack();
    },
    faults: ({ device }) => [['record_changed', 'device', device]],
  },
  'a device whose earlier row was put back as one that was sealed later': {
    async attack(on) {
      const putBack = await keepRow(on, sql`devices`, on.device);
      on.service.clock.advance(60_000);
      await send(on, `/v1/devices/${on.device}`, { name: 'Side gate' });
      await putBack({ sealed_at: '2200-01-01T00:00:00Z' });
    },
    faults: ({ device }) => [['record_changed', 'device', device]],
  },
  'a kiosk whose key was swapped': {
    attack: (on) => run(on, sql`update devices set key_thumbprint = 'another' where id = ${on.device}`),
    faults: ({ device }) => [['record_changed', 'device', device]],
  },
  'a check-in of a time without end': {
    attack: (on) => run(on, sql`update attendance set created_at = 'infinity' where id = ${on.checkIn}`),
    faults: ({ checkIn }) => [['record_changed', 'attendance', checkIn]],
  },
  'a salt that was removed': {
    attack: (on) => run(on, sql`update verifications set facts_salt = null where id = ${on.failed}`),
    faults: ({ failed }) => [['salt_missing', 'verification', failed]],
  },
  'the salt of a text that was removed although nobody was erased': {
    attack: (on) =>
      run(
        on,
        sql`update verifications set text_salt = null, text_hash = repeat('0', 64) where id = ${on.failed}`,
      ),
    faults: ({ failed }) => [['salt_missing', 'verification', failed]],
  },
  'a record that was made one from before there were seals': {
    attack: (on) =>
      run(
        on,
        sql`update verifications set result = 'pass', seal_n = null, facts_salt = null, text_salt = null
          where id = ${on.failed}`,
      ),
    faults: ({ failed }) => [['salt_missing', 'verification', failed]],
  },
  'an erased person whose name was put back': {
    async attack(on) {
      await eraseUser(on, on.other, 'keep');
      await run(on, sql`update tenant_users set full_name = 'Bo' where id = ${on.other}`);
    },
    faults: ({ other }) => [['salt_missing', 'user', other]],
  },
  'a record that was rewritten together with a fitting entry': {
    attack: (on) => rewriteVerification(on, on.failed),
    faults: ({ failed }) => [['record_resealed', 'verification', failed]],
  },
  'a record that was put back after its time was over': {
    async attack(on) {
      const putBack = await keepRow(on, sql`verifications`, on.failed);
      await retire(on);
      await putBack();
    },
    faults: ({ failed }) => [['record_undeleted', 'verification', failed]],
  },
};
