import { raw, sql } from '../../src/db/sql.js';
import { eventKeyOf } from './contract/credentials.js';
import type { Stage } from './contract/prepared.js';
import { CLIENTS, createClient } from './oidc-clients.js';
import { openPairing } from './pairing.js';
import { freshAddress } from './service.js';

/** Names of which many are equal, or differ only in their case. */
export const NAMES = ['T Abe', 't abe', 'T Bo', 'T Jon', 'T Zoe', 'Ära', '|', 'Zoë 🙂'];
const TIMES = [null, '2026-05-01T00:00:00Z', '2026-05-01T00:00:00.001Z', '2026-05-02T00:00:00Z'];

export type Row = Readonly<Record<string, unknown>>;
/** What tells a row from all others of its list. */
export const idOf = (row: Row): string =>
  String(row.id ?? row.clientId ?? row.requestId ?? `${row.minute} ${row.error}`);

/** An account, and the ids of the records that its list is about, by their names in its path and filters. */
export interface Place extends Stage {
  readonly ids: Readonly<Record<string, string>>;
}

/** What somebody does while a list is read. */
export interface ChangingList {
  /** Queries besides the order. */
  readonly filters: readonly string[];
  readonly prepare?: (stage: Stage) => Promise<Readonly<Record<string, string>>>;
  readonly create: (place: Place, name: string) => Promise<unknown>;
  /** What changes a row, by its id. `name` is one of `NAMES`. */
  readonly writes: Readonly<Record<string, (place: Place, id: string, name: string) => Promise<unknown>>>;
}

const call = ({ service, account }: Stage, method: string, path: string, body?: object) =>
  service.call(method, path, { as: account.key, ...(body && { body }) });
const onDashboard = ({ service, account }: Stage, method: string, path: string, body?: object) =>
  service.call(method, path, { as: account.token, ...(body && { body }) });

const later = ({ service }: Stage, ms = 0): string => new Date(service.clock.now() + ms).toISOString();
const HOUR = 3_600_000;

/** Inserts a row for which several requests, or a proof, would be needed. */
async function insert(stage: Stage, table: string, columns: object, scope: object = { environment: 'live' }) {
  const { service, account } = stage;
  const row = { tenant_id: account.tenantId, ...scope, id: service.app.deps.ids(), ...columns };
  const names = raw(Object.keys(row).join(', '));
  await service.db.query(sql`insert into ${raw(table)} (${names})
    select ${names} from jsonb_populate_record(null::${raw(table)}, ${JSON.stringify(row)}::jsonb)`);
}

/** Changes a row as a worker or a phone does. */
const update =
  (table: string, change: string) =>
  ({ service, account }: Stage, id: string) =>
    service.db.query(
      sql`update ${raw(table)} set ${raw(change)} where tenant_id = ${account.tenantId} and id = ${id}`,
    );

/** Deletes a row as the retention does. */
const remove =
  (table: string) =>
  ({ service, account }: Stage, id: string) =>
    service.db.query(sql`delete from ${raw(table)} where tenant_id = ${account.tenantId} and id = ${id}`);

const createUser = (stage: Stage, fullName = 'T Abe') =>
  call(stage, 'POST', '/v1/users', { fullName, email: 'A@example.com' });
const withUser = async (stage: Stage) => ({ userId: (await createUser(stage)).body.user.id as string });
const nothing = { nothing: async () => undefined };
const word = (stage: Stage): string => stage.service.app.deps.ids().replaceAll('-', '').padStart(64, '0');

const see = ({ service, account }: Stage, id: string, name: string) =>
  service.db.query(sql`update devices set last_seen_at = ${TIMES[NAMES.indexOf(name) % TIMES.length] ?? null}::timestamptz
    where tenant_id = ${account.tenantId} and id = ${id}`);

const devices: ChangingList = {
  filters: ['', 'q=t', 'status=active', 'enrollment_state=enrolled'],
  async create(stage, name) {
    const { body } = await call(stage, 'POST', '/v1/devices', { name });
    await see(stage, body.device.id, name);
  },
  writes: {
    rename: (stage, id, name) => call(stage, 'PATCH', `/v1/devices/${id}`, { name }),
    retire: (stage, id) => call(stage, 'PATCH', `/v1/devices/${id}`, { status: 'retired' }),
    see,
  },
};

const audit: ChangingList = {
  filters: ['', 'action=user.updated', 'status=success'],
  prepare: withUser,
  create: (stage, fullName) => call(stage, 'PATCH', `/v1/users/${stage.ids.userId}`, { fullName }),
  writes: nothing,
};

const createIdentity = (stage: Place) =>
  insert(stage, 'identities', {
    user_id: stage.ids.userId,
    device_id: stage.ids.deviceId,
    did: `did:svc:${word(stage)}`,
    commitment: word(stage),
    created_at: later(stage),
  });
const identityWrites = {
  revoke: update('identities', 'revoked_at = created_at'),
  remove: remove('identities'),
};

const createRegistration = (stage: Stage, columns: object) =>
  insert(stage, 'registration_sessions', {
    created_at: later(stage),
    updated_at: later(stage),
    expires_at: later(stage, HOUR),
    recovers: false,
    failures: 0,
    failed_tries: 0,
    two_person: false,
    confirmations_needed: 0,
    confirmed_by: [],
    ...columns,
  });
const registrationWrites = {
  complete: update('registration_sessions', "state = 'completed'"),
  remove: remove('registration_sessions'),
};

/** By the path of the list. */
export const CHANGING_LISTS: Readonly<Record<string, ChangingList>> = {
  '/v1/users': {
    filters: ['', 'q=t', 'status=active', 'email=a@example.com'],
    create: createUser,
    writes: {
      rename: (stage, id, fullName) => call(stage, 'PATCH', `/v1/users/${id}`, { fullName }),
      deactivate: (stage, id) => call(stage, 'PATCH', `/v1/users/${id}`, { status: 'inactive' }),
      move: (stage, id) => call(stage, 'PATCH', `/v1/users/${id}`, { email: 'b@example.com' }),
      erase: async (stage, id) =>
        stage.service.call('POST', `/v1/users/${id}/erase`, {
          as: await eventKeyOf(stage),
          body: { reason: 'error' },
        }),
    },
  },
  '/v1/devices': devices,
  '/api/console/devices': devices,
  '/v1/verifications': {
    filters: ['', 'result=pass', 'from=2026-01-01T00:00:00Z'],
    create: (stage) => call(stage, 'POST', '/v1/verifications', { method: 'manual', result: 'pass' }),
    writes: { remove: remove('verifications') },
  },
  '/v1/attendance': {
    filters: ['', 'type=check_in', 'from=2026-01-01T00:00:00Z'],
    prepare: withUser,
    create: (stage) => call(stage, 'POST', '/v1/attendance', { userId: stage.ids.userId, type: 'check_in' }),
    writes: { remove: remove('attendance') },
  },
  '/v1/activity': {
    filters: ['', 'outcome=good', 'kind=verification', 'from=2026-01-01T00:00:00Z'],
    create: (stage) => call(stage, 'POST', '/v1/verifications', { method: 'manual', result: 'pass' }),
    writes: { remove: remove('verifications') },
  },
  '/v1/audit': audit,
  '/api/console/audit': { ...audit, filters: [...audit.filters, 'entityId=:userId'] },
  '/v1/anchors': {
    filters: ['', 'kind=audit_head'],
    create: (stage) =>
      insert(stage, 'anchor_leaves', {
        kind: 2,
        seq: 1,
        first_word: word(stage),
        second_word: word(stage),
        salt: word(stage),
        hash: word(stage),
        created_at: later(stage),
      }),
    writes: { remove: remove('anchor_leaves') },
  },
  '/v1/sites': {
    filters: [''],
    create: (stage, name) =>
      insert(stage, 'sites', {
        ...{
          name,
          country: 'DE',
          time_zone: 'UTC',
          retention_months: 1,
          attendance_from: 'desk',
          breaks: true,
        },
        ...{ created_at: later(stage), updated_at: later(stage) },
      }),
    writes: { change: update('sites', "name = 'Other'") },
  },
  '/v1/attendance/corrections': {
    filters: ['', 'state=proposed'],
    create: (stage) =>
      insert(stage, 'attendance_corrections', {
        ...{
          user_id: stage.account.tenantId,
          state: 'proposed',
          cause: 'other',
          changes: [],
          proposed_by: 'person',
        },
        ...{ correction_sha256: word(stage), created_at: later(stage), expires_at: later(stage, HOUR) },
      }),
    writes: {
      end: update('attendance_corrections', "state = 'withdrawn', ended_at = created_at"),
      remove: remove('attendance_corrections'),
    },
  },
  '/v1/attendance/inspections': {
    filters: [''],
    create: (stage) =>
      insert(stage, 'attendance_inspections', {
        ...{ site_id: stage.account.tenantId, from_month: '2026-01', to_month: '2026-03' },
        ...{ token_hash: word(stage), code_hash: word(stage), looks: 0, wrong_codes: 0 },
        ...{ expires_at: later(stage, HOUR), created_at: later(stage) },
      }),
    writes: {
      end: update('attendance_inspections', 'revoked_at = created_at'),
      remove: remove('attendance_inspections'),
    },
  },
  '/v1/approvals': {
    filters: ['', 'state=pending', 'from=2026-01-01T00:00:00Z', 'reference=order'],
    create: (stage) =>
      insert(stage, 'approvals', {
        state: 'pending',
        digest: word(stage),
        required: 1,
        reference: 'order',
        requester_kind: 'api_key',
        requester_id: stage.account.tenantId,
        revision: 1,
        created_at: later(stage),
        expires_at: later(stage, HOUR),
      }),
    writes: {
      cancel: update('approvals', "state = 'cancelled', ended_at = created_at"),
      remove: remove('approvals'),
    },
  },
  '/v1/proof-pairing/sessions': {
    filters: ['', 'state=issued', 'from=2026-01-01T00:00:00Z'],
    create: (stage) => openPairing(stage.service, stage.account.key),
    writes: {
      decline: update('proof_pairing_sessions', "state = 'declined'"),
      expire: update('proof_pairing_sessions', 'expires_at = created_at'),
      remove: remove('proof_pairing_sessions'),
    },
  },
  '/v1/registrations': {
    filters: ['', 'state=awaiting_device'],
    create: (stage) => createRegistration(stage, { state: 'awaiting_device' }),
    writes: registrationWrites,
  },
  '/v1/recoveries': {
    filters: ['', 'state=pending_recovery', 'userId=:userId'],
    prepare: withUser,
    create: (stage) =>
      createRegistration(stage, {
        state: 'pending_recovery',
        recovers: true,
        user_id: stage.ids.userId,
        for_user_id: stage.ids.userId,
        recovery_opened_at: later(stage),
        completes_at: later(stage, HOUR),
      }),
    writes: registrationWrites,
  },
  '/v1/users/:userId/identities': {
    filters: [''],
    prepare: withUser,
    create: createIdentity,
    writes: identityWrites,
  },
  '/api/console/identities': {
    filters: ['deviceId=:deviceId'],
    prepare: async (stage) => {
      const { body } = await call(stage, 'POST', '/v1/devices', { name: 'Phone' });
      return { ...(await withUser(stage)), deviceId: body.device.id };
    },
    create: createIdentity,
    writes: identityWrites,
  },
  '/api/console/sessions': {
    filters: ['userId=:userId'],
    prepare: withUser,
    create: (stage) =>
      insert(stage, 'sessions', {
        user_id: stage.ids.userId,
        created_at: later(stage),
        expires_at: later(stage, HOUR),
        simulated: false,
      }),
    writes: { revoke: update('sessions', 'revoked_at = created_at'), remove: remove('sessions') },
  },
  '/api/console/keys': {
    filters: [''],
    create: (stage, name) => onDashboard(stage, 'POST', '/api/console/keys', { name, environment: 'live' }),
    writes: { revoke: (stage, id) => onDashboard(stage, 'DELETE', `/api/console/keys/${id}`) },
  },
  '/api/console/oidc/clients': {
    filters: [''],
    create: ({ service, account }) => createClient(service, account),
    writes: {
      rename: (stage, id, name) => onDashboard(stage, 'PATCH', `${CLIENTS}/${id}`, { name }),
      remove: (stage, id) => onDashboard(stage, 'DELETE', `${CLIENTS}/${id}`),
    },
  },
  '/api/console/requests': {
    // Those with a key: no other call has an id.
    filters: ['status=404', 'status=4xx&method=GET'],
    create: (stage) =>
      insert(stage, 'recent_calls', {
        key_id: stage.account.tenantId,
        method: 'GET',
        endpoint: '/v1/devices/:deviceId',
        status: 404,
        called_at: later(stage),
        duration_ms: 1,
      }),
    writes: { remove: remove('recent_calls') },
  },
  '/api/console/requests/rejected': {
    filters: [''],
    create: ({ service, account }, name) => {
      const minute = new Date(Math.floor(service.clock.now() / 60_000 - (NAMES.indexOf(name) % 3)) * 60_000);
      return service.db.query(sql`insert into rejected_calls (tenant_id, environment, minute, error, calls)
        values (${account.tenantId}, 'live', ${minute}, ${`error_${NAMES.indexOf(name)}`}, 1) on conflict do nothing`);
    },
    writes: {
      count: ({ service, account }, id) => {
        const [minute = '', error = ''] = id.split(' ');
        return service.db.query(sql`update rejected_calls set calls = calls + 1
          where tenant_id = ${account.tenantId} and minute = ${minute} and error = ${error}`);
      },
    },
  },
  '/v1/webhooks': {
    filters: [''],
    create: async (stage) =>
      stage.service.call('POST', '/v1/webhooks', {
        as: await eventKeyOf(stage),
        body: { url: 'https://example.com/hooks', events: ['user.*'] },
      }),
    writes: { remove: remove('webhooks'), pause: update('webhooks', "status = 'paused'") },
  },
  '/v1/webhooks/:id/deliveries': {
    filters: ['', 'status=succeeded'],
    prepare: async (stage) => {
      const { body } = await stage.service.call('POST', '/v1/webhooks', {
        as: await eventKeyOf(stage),
        body: { url: 'https://example.com/hooks', events: ['user.*'] },
      });
      return { id: body.webhook.id };
    },
    create: (stage) =>
      insert(stage, 'webhook_attempts', {
        webhook_id: stage.ids.id,
        event_id: stage.service.app.deps.ids(),
        type: 'user.created',
        attempt: 1,
        is_replay: false,
        at: later(stage),
        status: 'succeeded',
        duration_ms: 1,
      }),
    writes: { remove: remove('webhook_attempts') },
  },
  '/api/leads': {
    filters: ['', 'type=whitepaper'],
    create: ({ service }, name) =>
      service.call('POST', '/api/leads/whitepaper', {
        body: { email: `lead${NAMES.indexOf(name)}@example.com` },
        address: freshAddress(),
      }),
    writes: {
      remove: ({ service }, id) => service.db.query(sql`delete from leads where id = ${id}`),
    },
  },
};
