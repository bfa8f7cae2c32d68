import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { insertRow } from '../sealing/sealed-rows.js';
import { PERMIT_TRIGGERS } from '../support/citus.js';
import { ADMIN_KEY, type Service, startService } from '../support/service.js';

describe('the admin endpoints', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const read = (path: string, from = service) =>
    from.call('GET', `/api/admin/${path}`, { headers: { 'x-api-key': ADMIN_KEY } });

  it('count this process’s requests, errors and committed writes in stats [service/counters] [GET /api/admin/stats]', async () => {
    const own = await startService();
    const account = await own.signUp();
    own.clock.advance(90_500);
    await own.call('POST', '/v1/devices', { as: account.key, body: { name: 'Gate' } });
    await own.call('POST', '/v1/devices', { as: account.key, body: {} });
    await own.call('GET', '/v1/devices', {});
    const { status, body } = await read('stats', own);
    expect(status).toBe(200);
    expect(body).toEqual({
      startedAt: '2026-05-12T09:30:00.000Z',
      uptimeSeconds: 90,
      counters: {
        requests: { total: 4, '2xx': 2, '4xx': 2, '5xx': 0 },
        errors: { invalid_request: 1, missing_api_key: 1 },
        writes: { 'device.created': 1, 'tenant.created': 1 },
      },
      blockchain: { configured: false, identityCount: null },
    });
    await own.close();
  });

  it('report that no blockchain is configured [GET /api/admin/blockchain]', async () => {
    expect((await read('blockchain')).body).toEqual({ configured: false });
  });

  it('return 401 without the admin key, and 404 when none is configured', async () => {
    const closed = await startService({ env: { ADMIN_API_KEY: '' } });
    for (const path of ['stats', 'blockchain', 'privacy-audit']) {
      expect((await service.call('GET', `/api/admin/${path}`)).body).toMatchObject({
        error: 'missing_api_key',
        message: 'Send the operator’s key in X-API-Key.',
      });
      const wrong = { headers: { 'x-api-key': `${ADMIN_KEY}x` } };
      expect((await service.call('GET', `/api/admin/${path}`, wrong)).body).toMatchObject({
        error: 'invalid_api_key',
        message: 'The key in X-API-Key is not the operator’s.',
      });
      expect((await read(path, closed)).status).toBe(404);
    }
    await closed.close();
  });
});

describe('the privacy audit', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  interface Check {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
  }
  const audit = async (from = service): Promise<{ status: string; checks: Check[] }> => {
    const headers = { 'x-api-key': ADMIN_KEY };
    return (await from.call('GET', '/api/admin/privacy-audit', { headers })).body;
  };
  const failing = async () => {
    const { status, checks } = await audit();
    const failed = checks.filter((check) => check.status === 'fail');
    expect(status).toBe(failed.length === 0 ? 'pass' : 'fail');
    return failed.map(({ name, detail }) => `${name}: ${detail}`);
  };
  /** Changes the schema, runs `inspect`, and always reverts the change. */
  const withSchemaChange = async (change: string, undo: string, inspect: () => Promise<void>) => {
    await service.db.script(change);
    try {
      await inspect();
    } finally {
      await service.db.script(undo);
    }
    expect(await failing()).toEqual([]);
  };

  it('passes on the current schema with rows in it, and reports the kind of set-up [GET /api/admin/privacy-audit]', async () => {
    const account = await service.signUp();
    await service.call('POST', '/v1/devices', {
      as: account.key,
      body: { name: 'Gate', metadata: { fingerprint: 'hardware', floor: { room: [1, { door: 'x' }] } } },
    });
    const { status, checks } = await audit();
    expect(checks.filter((check) => check.status === 'fail')).toEqual([]);
    expect(status).toBe('pass');
    expect(checks.map(({ name }) => name)).toEqual([
      'no_biometric_columns',
      'no_binary_columns',
      'no_biometric_fields',
      'no_raw_secret_columns',
      'secrets_are_hashed',
      'audit_rows_immutable',
      'leads_deleted_in_time',
      'proving_keys',
      'template_register',
    ]);
    expect(checks.at(-2)!.detail).toContain('development set-up');
  });

  it.each([
    [
      'a column named face_template',
      'alter table tenant_users add column face_template text',
      'alter table tenant_users drop column face_template',
      /no_biometric_columns: column tenant_users\.face_template/,
    ],
    [
      'a biometric word within a longer column name',
      'alter table devices add column "user_irisCode_v2" text',
      'alter table devices drop column "user_irisCode_v2"',
      /devices\."?user_irisCode_v2/,
    ],
    [
      'a biometric column of a view',
      'create view people as select full_name as minutiae from tenant_users',
      'drop view people',
      /column people\.minutiae/,
    ],
    [
      'a biometric table in another schema',
      'create schema side; create table side.templates (id int)',
      'drop schema side cascade',
      /table side\.templates/,
    ],
    [
      'a column of bytes',
      'alter table devices add column picture bytea',
      'alter table devices drop column picture',
      /no_binary_columns: column devices\.picture is of type bytea/,
    ],
    [
      'a column of floating-point arrays',
      'alter table devices add column features real[]',
      'alter table devices drop column features',
      /no_binary_columns: column devices\.features is of type real\[\]/,
    ],
    [
      'an unhashed code',
      'alter table devices add column enrollment_code text',
      'alter table devices drop column enrollment_code',
      /no_raw_secret_columns: column devices\.enrollment_code/,
    ],
    [
      'a disabled trigger',
      `${PERMIT_TRIGGERS}; alter table audit_events disable trigger audit_events_immutable`,
      `${PERMIT_TRIGGERS}; alter table audit_events enable trigger audit_events_immutable`,
      /audit_rows_immutable: no trigger refuses update.*; no trigger refuses delete/,
    ],
    [
      'audit rows that can be truncated',
      `${PERMIT_TRIGGERS}; alter table audit_events disable trigger audit_events_not_truncated`,
      `${PERMIT_TRIGGERS}; alter table audit_events enable trigger audit_events_not_truncated`,
      /audit_rows_immutable: no trigger refuses truncate of audit rows$/,
    ],
  ])('fails on %s', async (_, change, undo, fault) => {
    await withSchemaChange(change, undo, async () =>
      expect(await failing()).toEqual([expect.stringMatching(fault)]),
    );
  });

  it('only warns of a column that is named like a secret while a newer version has migrated the database [service/privacy-audit-during-an-upgrade]', async () => {
    const newer = "insert into schema_migrations (name, checksum) values ('9999_newer', 'x')";
    await withSchemaChange(
      `${newer}; alter table devices add column enrollment_code text`,
      "delete from schema_migrations where name = '9999_newer'; alter table devices drop column enrollment_code",
      async () => {
        const { status, checks } = await audit();
        expect(status).toBe('pass');
        expect(checks.find(({ name }) => name === 'no_raw_secret_columns')).toMatchObject({
          status: 'pass',
          detail: expect.stringMatching(
            /^warning: column devices\.enrollment_code is named like a raw secret; a newer/,
          ),
        });
      },
    );
    await withSchemaChange(
      `${newer}; alter table devices add column face_template text`,
      "delete from schema_migrations where name = '9999_newer'; alter table devices drop column face_template",
      async () => expect(await failing()).toEqual([expect.stringMatching(/^no_biometric_columns/)]),
    );
  });

  it('fails on a biometric field name at any depth of a free-form object', async () => {
    const account = await service.signUp();
    const reply = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Gate' } });
    const set = (metadata: string) =>
      service.db.query(
        sql`update devices set metadata = ${metadata}::jsonb where id = ${reply.body.device.id}`,
      );
    await set('{"a":[1,{"b":{"Face_Embedding":"…"}}]}');
    const failed = await failing();
    await set('{"a":[1,{"b":{"note":"Face_Embedding"}}]}');
    expect(failed).toEqual(['no_biometric_fields: devices.metadata holds fields named Face_Embedding']);
    expect(await failing()).toEqual([]);
  });

  it('fails on an API key stored in plain text', async () => {
    const account = await service.signUp();
    await service.db.query(sql`insert into api_keys (tenant_id, id, key_hash, name, prefix, environment, scopes, created_at)
      values (${account.tenantId}, ${crypto.randomUUID()}, 'svc_live_raw', 'raw', 'x', 'live', '{}', now())`);
    const failed = await failing();
    await service.db.query(sql`delete from api_keys where key_hash = 'svc_live_raw'`);
    expect(failed).toEqual(['secrets_are_hashed: api_keys.key_hash holds 1 values that are no hashes']);
  });

  it('passes with encrypted secrets of tenants, and fails on one that is not', async () => {
    const { tenantId } = await service.signUp();
    const row = await insertRow(service.app.deps, tenantId);
    expect(await failing()).toEqual([]);
    await service.db.query(sql`update webhooks set secret = 'a raw secret' where id = ${row.id}`);
    const failed = await failing();
    await service.db.query(sql`delete from webhooks where id = ${row.id}`);
    expect(failed).toEqual(['secrets_are_hashed: webhooks.secret holds 1 values that are not encrypted']);
  });

  it('fails on a lead that housekeeping should have deleted', async () => {
    const reply = await service.call('POST', '/api/leads/whitepaper', { body: { email: 'a@example.com' } });
    const { id } = reply.body.lead;
    await service.db.query(
      sql`update leads set created_at = ${new Date('2025-05-11T09:29:59.000Z')} where id = ${id}`,
    );
    const failed = await failing();
    await service.db.query(sql`delete from leads where id = ${id}`);
    expect(failed).toEqual(['leads_deleted_in_time: 1 leads are older than twelve months']);
  });

  it('fails in production if the proving keys come from a development set-up [service/counters]', async () => {
    const env = { NODE_ENV: 'production', SVC_SECRET: 'a secret for production, 32 bytes and more' };
    const production = await startService({ env });
    const { status, checks } = await audit(production);
    expect(status).toBe('fail');
    expect(checks.filter((check) => check.status === 'fail').map(({ name }) => name)).toEqual([
      'proving_keys',
    ]);
    await production.close();
  });
});
