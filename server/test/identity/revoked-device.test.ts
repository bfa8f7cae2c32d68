import { expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { completeCeremony } from '../support/ceremony.js';
import { eventsSince, headOf } from '../support/recoveries.js';
import { startService } from '../support/service.js';
import { sources } from '../support/statements.js';

it('writes one identity.revoked for each identity of a revoked device, and none for those revoked before [DELETE /api/console/devices/:id] [identity.revoked] [recoveries/recoveries]', async () => {
  const service = await startService();
  try {
    const account = await service.signUp({ plan: 'enterprise' });
    const { c, reply } = await completeCeremony(service, account);
    const before = await headOf(service, account);
    const revoke = () => service.call('DELETE', `/api/console/devices/${c.deviceId}`, { as: account.token });
    expect((await revoke()).status).toBe(200);
    const events = await eventsSince(service, account, before);
    expect(events.map(({ action, entity_id, metadata }) => [action, entity_id, metadata])).toEqual([
      ['device.revoked', c.deviceId, { seal: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      ['identity.revoked', reply.body.enrolment.identityId, { by: 'device' }],
    ]);

    const second = await completeCeremony(service, account);
    await service.call('POST', '/v1/identity/revoke', {
      as: account.key,
      body: { did: second.c.identity.did },
    });
    const head = await headOf(service, account);
    await service.call('DELETE', `/api/console/devices/${second.c.deviceId}`, { as: account.token });
    expect((await eventsSince(service, account, head)).map(({ action }) => action)).toEqual([
      'device.revoked',
    ]);
    const rows = await service.db.query(
      sql`select 1 from audit_events where entity_id = ${second.reply.body.enrolment.identityId} and action = 'identity.revoked'`,
    );
    expect(rows).toHaveLength(1);
  } finally {
    await service.close();
  }
});

it('inserts identities by three rules only, each of which protects people [registrations/existing-person]', () => {
  const callers = [...sources]
    .filter(
      ([file, source]) => file.startsWith('features/') && /(?<!function )\binsertIdentity\(w/.test(source),
    )
    .map(([file]) => file);
  // Registering asks `recovery_required`, a ceremony `admits`, and adding is authorized by a proof of the same person.
  expect(callers.filter((file) => !file.endsWith('.store.ts')).sort()).toEqual([
    'features/identities/identities.ts',
    'features/phones/add.ts',
    'features/registrations/enrolment.ts',
  ]);
});
