// @module-tag if-touched @core server/src/features/restore/ server/src/features/sealing/ cli/: restores a database in each test
// @module-tag embedded-ci
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionHash } from '@svc/zk/approvals/statement';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { finishRestore } from '../../src/features/restore/finish.js';
import { checkRestored } from '../../src/features/restore/restore.js';
import { ACTION, approvalKey, decide, openApproval } from '../support/approvals.js';
import { enrolPasskey } from '../support/attestation.js';
import { openCeremony } from '../support/ceremony.js';
import { addMember } from '../support/members.js';
import { openPairing } from '../support/pairing.js';
import { openSession, type Person, proveFor, registerPerson } from '../support/phone.js';
import { createSite } from '../support/punches.js';
import { openDesk, openRecovery } from '../support/recoveries.js';
import { type Account, ADMIN_KEY, freshAddress } from '../support/service.js';
import { rotatePhone, withNewSecret } from '../support/several-phones.js';
import { Restorable } from './backup.js';

let at: Restorable;
let account: Account;
beforeEach(async () => {
  at = await Restorable.start();
  account = await at.service.signUp({ plan: 'enterprise' });
});
afterEach(() => at.close());

const call: Restorable['service']['call'] = (...input) => at.service.call(...input);
const register = () => registerPerson(at.service, account.key);
const verify = async (person: Person) => {
  const body = await proveFor(at.service, person, { tenantId: account.tenantId });
  return (await call('POST', '/v1/identity/verify', { as: account.key, body })).status;
};
const revoke = (person: Person) =>
  call('POST', '/v1/identity/revoke', { as: account.key, body: { did: person.did } });
const events = async (environment = 'live') => {
  const rows = await at.db.query<{ seq: number; hash: string; action: string; canonical: string }>(sql`
    select seq, hash, action, canonical from audit_events
    where tenant_id = ${account.tenantId} and environment = ${environment} order by seq`);
  return rows.map(({ canonical, ...row }) => ({ ...row, ...JSON.parse(canonical) }));
};
const headOf = async () => (await events()).at(-1)!;
const integrity = async () => {
  const headers = { 'x-api-key': ADMIN_KEY };
  return (await call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, { headers })).body;
};
const login = async () => {
  const body = { email: account.email, password: account.password };
  return (await call('POST', '/api/console/login', { body })).body.token as string;
};
const confirm = async () => call('POST', '/api/console/account/confirm-restore', { as: await login() });
const reasonOf = async () =>
  (await call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0].metadata.reason;

describe('a database that was restored from a backup', () => {
  it('is served only with its epoch, and each error says what to do [erasure/restore]', async () => {
    expect(await at.startError()).toBe('serves');
    expect(await at.startError({ restoreEpoch: 1 })).toMatch(
      /^RESTORE_EPOCH is 1, but the epoch of this database is 0: .* `svc restore finish` .*, set RESTORE_EPOCH=0\.$/,
    );
    await at.backUp();
    await at.restore();
    expect(await at.startError()).toContain('`svc restore finish`');
    expect(await at.finish()).toMatchObject({ epoch: 1, restored: true, accounts: 1, locked: 1, erased: 0 });
    expect(await at.startError()).toBe('serves');
    expect(await at.startError({ restoreEpoch: 0 })).toBe(
      'RESTORE_EPOCH is 0, but this database was restored and its epoch is 1. Set RESTORE_EPOCH=1 on every node.',
    );
    expect(await at.startError({ restoreEpoch: 2 })).toContain('`svc restore finish`');
  });

  it('takes the epoch of the settings while it has no account [erasure/restore]', async () => {
    const empty = await Restorable.start();
    try {
      await empty.service.call('POST', '/api/auth/logout');
      expect(await empty.startError({ restoreEpoch: 3 })).toBe('serves');
      const { proofsFrom, erasures } = await empty.check({ restoreEpoch: 3 });
      await erasures?.close();
      expect(proofsFrom).toBe(0);
      expect(await empty.startError({ restoreEpoch: 2 })).toContain('RESTORE_EPOCH=3');
      await empty.service.signUp();
      expect(await empty.startError({ restoreEpoch: 3 })).toBe('serves');
      expect(await empty.startError({ restoreEpoch: 4 })).toContain('`svc restore finish`');
    } finally {
      await empty.close();
    }
  });

  it('can be finished again, which changes nothing [erasure/restore]', async () => {
    await at.backUp();
    await at.restoreAndFinish();
    const before = await headOf();
    expect(await at.finish()).toEqual({
      epoch: 1,
      restored: false,
      accounts: 0,
      locked: 0,
      erased: 0,
      exports: [],
    });
    expect(await headOf()).toEqual(before);
    await expect(at.finish([await at.exportOf({ ...account, token: await login() })])).rejects.toThrow(
      /--from has no effect/,
    );
    at.epoch = 0;
    await expect(at.finish()).rejects.toThrow(/set RESTORE_EPOCH=2/);
  });

  it('has no session, sign-in, pairing, ceremony, recovery, addition, code or inspection any more, also no console token [erasure/restore]', async () => {
    const { reply } = await openSession(at.service, account);
    const ceremony = await openCeremony(at.service, account);
    const pairing = await openPairing(at.service, account.key);
    const desk = await openDesk(at.service);
    const patient = await registerPerson(at.service, desk.key);
    const { c } = await openRecovery(at.service, desk, patient.userId, { session: desk.token });
    const site = await createSite(at.service, account);
    const month = new Date(at.service.clock.now()).toISOString().slice(0, 7);
    const period = { siteId: site.id, from: month, to: month };
    const inspection = await call('POST', '/v1/attendance/inspections', { as: account.key, body: period });
    await at.backUp();
    await at.restoreAndFinish();
    const session = { as: account.key, headers: { 'x-session-token': reply.body.accessToken } };
    expect((await call('GET', '/v1/identity/me', session)).status).toBe(401);
    const body = { refreshToken: reply.body.refreshToken };
    expect((await call('POST', '/v1/identity/refresh', { as: account.key, body })).status).toBe(401);
    expect((await call('GET', '/api/console/account', { as: account.token })).status).toBe(401);
    const { session: registration } = (
      await call('GET', `/v1/registrations/${ceremony.id}`, { as: account.key })
    ).body;
    expect(registration.state).toBe('abandoned');
    expect((await call('GET', `/v1/proof-pairing/sessions/${pairing.id}/public`)).status).toBe(404);
    const opening = { token: new URL(inspection.body.url).hash.slice(1), code: inspection.body.code };
    expect((await call('POST', '/v1/attendance/inspections/open', { body: opening })).status).toBe(404);
    const [recovery] = await at.db.query(sql`select state from registration_sessions where id = ${c.id}`);
    expect(recovery).toEqual({ state: 'abandoned' });
    expect(
      await at.db.query(sql`select 1 from one_time_codes union all select 1 from identity_additions
        union all select 1 from oidc_state union all select 1 from sso_requests`),
    ).toEqual([]);
  });

  it('has no approval that can be used once more [approval.cancelled] [approvals/approvals]', async () => {
    const person = await register();
    const key = await approvalKey(at.service, account);
    const used = await openApproval(at.service, key, [person.userId]);
    const waiting = await openApproval(at.service, key, [person.userId]);
    await decide(at.service, person, account, used);
    await at.backUp();
    const body = { actionSha256: actionHash(ACTION) };
    const consume = () => call('POST', `/v1/approvals/${used.id}/consume`, { as: key, body });
    expect((await consume()).status).toBe(200);
    await at.restoreAndFinish();
    expect((await consume()).body.error).toBe('approval_not_approved');
    for (const { id } of [used, waiting])
      expect((await call('GET', `/v1/approvals/${id}`, { as: key })).body.approval.state).toBe('cancelled');
  });

  it('does not accept console tokens that were made and revoked after the backup [erasure/restore]', async () => {
    await at.backUp();
    const lost: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      lost.push(await login());
      await call('POST', '/api/console/logout', { as: lost.at(-1)! });
    }
    await at.restoreAndFinish();
    for (const token of [account.token, ...lost])
      expect((await call('GET', '/api/console/account', { as: token })).status).toBe(401);
  });
});

describe('the chains of a restored database', () => {
  it('say that it was restored, and the head of the backup [chain.restored] [erasure/after-a-restore]', async () => {
    await register();
    await at.backUp();
    const base = await headOf();
    await register();
    await at.restoreAndFinish();
    const [restored] = (await events()).slice(base.seq);
    expect(restored).toMatchObject({
      seq: base.seq + 1,
      action: 'chain.restored',
      actorType: 'system',
      entityType: 'chain',
      entityId: null,
      metadata: { seq: base.seq, hash: base.hash, epoch: 1 },
    });
    const [first] = await events('test');
    expect(first).toMatchObject({ action: 'chain.restored', metadata: { seq: 0 } });
    expect(await integrity()).toMatchObject({ status: 'pass' });
  });

  it('get the event once, however often the command is killed and run again [chain.restored] [erasure/restore]', async () => {
    for (let count = 0; count < 4; count += 1) await at.service.signUp();
    const person = await register();
    await at.backUp();
    await revoke(person);
    const path = await at.exportOf(account);
    const lives = await at.exportOf(account, 'test');
    await at.restore();
    const { deps } = at.service.app;
    // Each run fails at another write, until one has no more of them.
    let runs = 0;
    for (let isFinished = false; !isFinished && runs < 50; runs += 1) {
      let writes = 0;
      const write = ((...input: Parameters<typeof deps.write>) => {
        writes += 1;
        return writes > runs ? Promise.reject(new Error('killed')) : deps.write(...input);
      }) as typeof deps.write;
      const run = finishRestore({ ...deps, write, config: at.config }, [path, lives]);
      isFinished = await run.then(
        () => true,
        () => false,
      );
      if (!isFinished) expect(await at.startError()).toContain('`svc restore finish`');
    }
    expect(runs).toBeGreaterThan(3);
    await at.serve();
    const marks = (await events()).filter(({ action }) => action === 'chain.restored');
    expect(marks).toHaveLength(1);
    expect((await events()).filter(({ action }) => action === 'identity.revoked')).toHaveLength(1);
    at.service.clock.advance(5 * 60_000);
    expect(await verify(person)).toBe(401);
    expect(await integrity()).toMatchObject({ status: 'pass' });
  });
});

describe('without an export of an account', () => {
  it('no identity of it is in force until its owner confirms [POST /api/console/account/confirm-restore] [tenant.restore_confirmed] [not_in_force] [erasure/after-a-restore]', async () => {
    const kept = await register();
    const lost = await register();
    await at.backUp();
    await revoke(lost);
    await at.restoreAndFinish();
    for (const person of [kept, lost]) expect(await verify(person)).toBe(401);
    expect(await reasonOf()).toBe('not_in_force');
    const token = await login();
    const overview = () => call('GET', '/api/console/overview?environment=live', { as: token });
    const { identitiesLockedAt } = (await overview()).body;
    expect(Date.parse(identitiesLockedAt)).toBeLessThan(at.service.clock.now());
    for (let times = 0; times < 2; times += 1) {
      const reply = await call('POST', '/api/console/account/confirm-restore', { as: token });
      expect([reply.status, reply.body]).toEqual([200, { confirmed: true }]);
    }
    expect(await headOf()).toMatchObject({
      action: 'tenant.restore_confirmed',
      entityType: 'tenant',
      entityId: account.tenantId,
    });
    expect((await events()).filter(({ action }) => action === 'tenant.restore_confirmed')).toHaveLength(1);
    expect((await overview()).body.identitiesLockedAt).toBeNull();
    expect(await verify(kept)).toBe(200);
  });

  it('phones without a key are locked as well, and other accounts are not [erasure/after-a-restore]', async () => {
    const person = await register();
    await at.backUp();
    await at.restoreAndFinish();
    const other = await at.service.signUp();
    const stranger = await registerPerson(at.service, other.key);
    const body = await proveFor(at.service, stranger, { tenantId: other.tenantId });
    expect((await call('POST', '/v1/identity/verify', { as: other.key, body })).status).toBe(200);
    await expect(rotatePhone(at.service, account, person)).rejects.toMatchObject({ status: 401 });
    expect(
      (await call('GET', `/v1/identity/${person.did}/document`, { as: account.key })).text,
    ).not.toContain('assertionMethod":["');
    await confirm();
    expect(await verify(person)).toBe(200);
  });
});

describe('with an export of an account', () => {
  const finishWith = async () => {
    const from = [await at.exportOf(account), await at.exportOf(account, 'test')];
    return at.restoreAndFinish(from);
  };

  it('a passkey that was revoked after the backup is revoked again, and its audit row says why [attestation.revoked] [erasure/after-a-restore]', async () => {
    const [kept, revoked] = [await register(), await register()];
    const { keyId } = await enrolPasskey(at.service, account, revoked);
    await enrolPasskey(at.service, account, kept);
    await at.backUp();
    expect((await call('DELETE', `/v1/attestation/keys/${keyId}`, { as: account.key })).status).toBe(200);
    await finishWith();
    const keysOf = async ({ did }: Person) =>
      (await call('GET', `/v1/attestation/keys?did=${did}`, { as: account.key })).body.attestationKeys;
    expect((await keysOf(kept))[0].revokedAt).toBeNull();
    expect((await keysOf(revoked))[0].revokedAt).not.toBeNull();
    const row = (await events()).findLast(({ action }) => action === 'attestation.revoked');
    expect(row).toMatchObject({ entityId: keyId, actorType: 'system', metadata: { by: 'restore' } });
  });

  it('what was revoked after the backup is revoked again, and the rest works immediately [erasure/after-a-restore]', async () => {
    const [kept, revoked] = [await register(), await register()];
    const key = await call('POST', '/api/console/keys', {
      as: account.token,
      body: { name: 'Leaked', environment: 'live' },
    });
    const device = await call('POST', '/v1/devices', { as: account.key, body: { name: 'Kiosk' } });
    await at.backUp();
    await revoke(revoked);
    await call('DELETE', `/api/console/keys/${key.body.apiKey.id}`, { as: account.token });
    await call('DELETE', `/api/console/devices/${device.body.device.id}`, { as: account.token });
    const finished = await finishWith();
    expect(finished).toMatchObject({ locked: 0 });
    expect(finished.exports[0]).toMatchObject({ events: 3, identities: 1, devices: 1, keys: 1 });
    expect(await verify(kept)).toBe(200);
    expect(await verify(revoked)).toBe(401);
    expect(await reasonOf()).toBe('revoked');
    expect((await call('GET', '/v1/devices', { as: key.body.apiKey.key })).status).toBe(401);
    const shown = await call('GET', `/v1/devices/${device.body.device.id}`, { as: account.key });
    expect(shown.body.device.enrollment_state).toBe('revoked');
    expect(await integrity()).toMatchObject({ status: 'pass' });
  });

  it('an identity whose key was changed after the backup is revoked [erasure/after-a-restore]', async () => {
    const person = await register();
    await at.backUp();
    const renewed = withNewSecret(person);
    await rotatePhone(at.service, account, person);
    await finishWith();
    for (const phone of [person, renewed]) expect(await verify(phone)).toBe(401);
    const revocation = (await events()).findLast(({ action }) => action === 'identity.revoked');
    expect(revocation.metadata).toEqual({ by: 'restore' });
  });

  it('an API key that was rotated after the backup is revoked [keys/rotation]', async () => {
    const body = { name: 'Leaked', environment: 'live' };
    const { apiKey } = (await call('POST', '/api/console/keys', { as: account.token, body })).body;
    await at.backUp();
    const path = `/api/console/keys/${apiKey.id}/rotate`;
    const rotated = await call('POST', path, { as: account.token, body: { graceSeconds: 604_800 } });
    expect(rotated.status).toBe(201);
    await finishWith();
    expect((await call('GET', '/v1/devices', { as: apiKey.key })).status).toBe(401);
  });

  it('a member who was removed or got a lower role after the backup is removed, and has the lower role, again [erasure/members-after-a-restore]', async () => {
    const [gone, lowered, raised] = [
      await addMember(at.service, account, 'owner'),
      await addMember(at.service, account, 'developer'),
      await addMember(at.service, account, 'auditor'),
    ];
    await at.backUp();
    const path = (id: string) => `/api/console/members/${id}`;
    for (const [method, id, body] of [
      ['DELETE', gone.id, undefined],
      ['PATCH', lowered.id, { role: 'auditor' }],
      ['PATCH', raised.id, { role: 'owner' }],
    ] as const) {
      const reply = await call(method, path(id), { as: account.token, ...(body && { body }) });
      expect(reply.status).toBe(200);
    }
    await finishWith();
    const logIn = ({ email, password }: { email: string; password: string }) =>
      call('POST', '/api/console/login', { body: { email, password }, address: freshAddress() });
    expect((await logIn(gone)).status).toBe(401);
    const { token: as } = (await logIn(account)).body;
    const { members } = (await call('GET', '/api/console/members', { as })).body;
    expect(
      Object.fromEntries(members.map(({ id, role }: { id: string; role: string }) => [id, role])),
    ).toEqual({ [account.tenantId]: 'owner', [lowered.id]: 'auditor', [raised.id]: 'auditor' });
  });

  it('a revoked API key works again only without it', async () => {
    const body = { name: 'Leaked', environment: 'live' };
    const { apiKey } = (await call('POST', '/api/console/keys', { as: account.token, body })).body;
    await at.backUp();
    await call('DELETE', `/api/console/keys/${apiKey.id}`, { as: account.token });
    await at.restoreAndFinish();
    expect((await call('GET', '/v1/devices', { as: apiKey.key })).status).toBe(200);
  });

  it('of one environment, the account stays locked if the other one has events [erasure/after-a-restore]', async () => {
    const test = await at.service.createKey(account, 'test');
    await registerPerson(at.service, test);
    const person = await register();
    await at.backUp();
    expect(await at.restoreAndFinish([await at.exportOf(account)])).toMatchObject({ locked: 1 });
    expect(await verify(person)).toBe(401);
  });

  it('the lock of an earlier restore that nobody confirmed stays [erasure/after-a-restore]', async () => {
    const person = await register();
    await at.backUp();
    await at.restoreAndFinish();
    await at.backUp();
    const exporting = { ...account, token: await login() };
    const from = [await at.exportOf(exporting), await at.exportOf(exporting, 'test')];
    await at.restoreAndFinish(from);
    expect(await verify(person)).toBe(401);
    await confirm();
    expect(await verify(person)).toBe(200);
  });
});

describe('an export that is not of the chain', () => {
  const refused = async (path: string, reason: RegExp) => {
    const before = await headOf();
    await expect(at.finish([path])).rejects.toThrow(reason);
    expect(await headOf()).toEqual(before);
    expect(await at.startError()).toContain('`svc restore finish`');
  };
  const altered = (path: string, change: (lines: string[]) => readonly string[]) => {
    const lines = change(readFileSync(path, 'utf8').trimEnd().split('\n'));
    writeFileSync(`${path}.altered`, lines.map((line) => `${line}\n`).join(''));
    return `${path}.altered`;
  };

  it('is not accepted, and nothing is changed [erasure/after-a-restore]', async () => {
    const old = await at.exportOf(account);
    const [person] = [await register()];
    await at.backUp();
    await revoke(person);
    const path = await at.exportOf(account);
    const stranger = await at.service.signUp();
    const foreign = await at.exportOf(stranger);
    await at.restore();
    await refused(old, /it ends at event \d+, before the backup/);
    await refused(foreign, /the database has no account/);
    await refused('/nowhere/export.jsonl', /cannot be read/);
    await refused(
      altered(path, (lines) => lines.slice(0, -1)),
      /last line is not a signed head/,
    );
    await refused(
      altered(path, (lines) => lines.toSpliced(-2, 1)),
      /do not lead to its head|is not an event/,
    );
    await refused(
      altered(path, (lines) => lines.map((line) => line.replace('identity.revoked', 'identity.created'))),
      /line \d+ does not continue the chain/,
    );
    await refused(
      altered(path, (lines) => lines.with(-1, lines.at(-1)!.replace(/"seq":(\d+)/, '"seq":9$1'))),
      /signature of its head is wrong/,
    );
    await refused(
      altered(path, (lines) => lines.with(0, 'x'.repeat(2_000_000))),
      /too long/,
    );
    await refused(
      altered(path, () => []),
      /not a signed head/,
    );
  });

  it('is not accepted if the chain went on another way [erasure/after-a-restore]', async () => {
    await at.backUp();
    await register();
    const path = await at.exportOf(account);
    await at.restoreAndFinish();
    await register();
    await at.backUp();
    await at.restore();
    await refused(path, /before the backup|has another event/);
  });

  it('is not accepted beside another one of the same chain', async () => {
    await at.backUp();
    const path = await at.exportOf(account);
    await at.restore();
    await expect(at.finish([path, path])).rejects.toThrow(/two exports of the chain/);
  });
});

describe('the file of erasures, at the start [erasure/file-of-erasures]', () => {
  const fileOf = () => at.settings.erasuresFile;
  const lineOf = (person: Person, erasedAt = at.service.clock.now()) =>
    `${JSON.stringify({
      tenantId: account.tenantId,
      environment: 'live',
      userId: person.userId,
      erasureId: crypto.randomUUID(),
      erasedAt: new Date(erasedAt).toISOString(),
    })}\n`;

  it('keeps a database from being served that lacks one of its erasures, also an old one', async () => {
    const people = [await register(), await register()];
    appendFileSync(fileOf(), lineOf(people[0]!));
    expect(await at.startError()).toBe(
      'The file of ERASURES_FILE has erasures that this database lacks: it was restored from a backup. Set RESTORE_EPOCH=1 on every node and run `svc restore finish`.',
    );
    await expect(at.finish()).rejects.toThrow(/RESTORE_EPOCH=1/);
  });

  const erase = (person: Person) =>
    call('POST', `/v1/users/${person.userId}/erase`, { session: account.token, body: {} });
  const nameOf = async (person: Person) =>
    (await at.db.query(sql`select full_name from tenant_users where id = ${person.userId}`))[0]?.full_name;

  it('has the line of an erasure before its 200, and a restore erases the person again under the same id [user.erased]', async () => {
    const person = await register();
    await at.backUp();
    const reply = await erase(person);
    expect(reply.status, reply.text).toBe(200);
    const { id, erasedAt } = reply.body.erasure;
    expect(readFileSync(fileOf(), 'utf8')).toBe(
      `${JSON.stringify({ tenantId: account.tenantId, environment: 'live', userId: person.userId, erasureId: id, erasedAt })}\n`,
    );
    await at.restore();
    expect(await nameOf(person)).not.toBe('');
    expect(await at.startError({ restoreEpoch: 0 })).toContain('RESTORE_EPOCH=1');
    expect(await at.finish()).toMatchObject({ erased: 1 });
    await at.serve();
    expect(await at.startError()).toBe('serves');
    const erasures = (await events()).filter(({ action }) => action === 'user.erased');
    expect(erasures).toMatchObject([{ entityId: person.userId, metadata: { erasureId: id } }]);
    expect(await integrity()).toMatchObject({ status: 'pass' });
  });

  it('of each node is applied with the settings of that node, also after the restore is finished', async () => {
    const people = [await register(), await register()];
    await at.backUp();
    const files = people.map((person, node) => {
      const path = join(at.folder, `node-${node}.jsonl`);
      writeFileSync(path, lineOf(person));
      return path;
    });
    await at.restore();
    const [first, second] = files.map((erasuresFile) => ({ erasuresFile }));
    const { deps } = at.service.app;
    const finish = (settings: object) =>
      finishRestore({ ...deps, config: { ...at.config, ...settings } }, []);
    expect(await finish(first!)).toMatchObject({ restored: true, erased: 1 });
    expect(await at.startError(first!)).toBe('serves');
    expect(await at.startError(second!)).toBe(
      'The file of ERASURES_FILE has erasures that this database lacks. Run `svc restore finish` with the settings of this node.',
    );
    expect(await finish(second!)).toMatchObject({ restored: false, erased: 1 });
    expect(await at.startError(second!)).toBe('serves');
  });

  it('is not needed for a person whose erasure an export has', async () => {
    const person = await register();
    await at.backUp();
    await erase(person);
    const from = [await at.exportOf(account)];
    writeFileSync(fileOf(), '');
    expect(await at.restoreAndFinish(from)).toMatchObject({ erased: 1 });
    const [row] = await at.db.query(sql`select erased_at from tenant_users where id = ${person.userId}`);
    expect(row!.erased_at).not.toBeNull();
  });

  it('does not mind people who are not in the database', async () => {
    const nobody = { ...(await register()), userId: crypto.randomUUID() };
    appendFileSync(fileOf(), lineOf(nobody));
    expect(await at.startError()).toBe('serves');
  });

  it('must be outside the folder of an embedded database', async () => {
    const config = { ...at.config, databaseUrl: undefined, dataDir: at.folder };
    await expect(checkRestored({ db: at.db, config })).rejects.toThrow(/must not be in DATA_DIR/);
  });
});
