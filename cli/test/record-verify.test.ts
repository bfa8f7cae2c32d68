// @module-tag if-touched @core cli/ sdk/src/codecs/ sdk/src/receipts/ zk/src/records/ examples/ server/src/features/: runs two programs for each proof
// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RecordProof, type TreeHead, verifyRecord } from '@svc/sdk/receipts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altered, changed, fieldsOf } from '../../sdk/test/receipt-vectors.js';
import { type Sql, sql } from '../../server/src/db/sql.js';
import { sealLater } from '../../server/src/features/seals/seals.js';
import { addOldRecords } from '../../server/test/support/old-records.js';
import { rewriteVerification } from '../../server/test/support/record-attacks.js';
import { type Account, type Service, startService } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';

let service: Service;
let folder: string;
let account: Account;
/** The records of an account, and the tree that an auditor kept after they were made. */
let made: { devices: string; users: string; verifications: string; attendance: string };
let kept: TreeHead;

const call = async (method: string, path: string, body?: object) => {
  const reply = await service.call(method, path, { as: account.key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
const run = (statement: Sql) => service.db.query(statement);

async function keepTree(): Promise<TreeHead> {
  const { tree, publicKey } = await call('GET', '/v1/audit/proof');
  return { ...tree, publicKey };
}

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'svc-record-test-'));
  account = await service.signUp({ plan: 'enterprise' });
  const { device } = await call('POST', '/v1/devices', { name: 'Main gate', locationId: 'lobby' });
  const { user } = await call('POST', '/v1/users', { fullName: 'Ada', metadata: { shift: 1.5 } });
  const event = { userId: user.id, deviceId: device.id, metadata: { gate: 'ä', at: [2.5, -0] } };
  const { verification } = await call('POST', '/v1/verifications', {
    ...{ method: 'face', result: 'fail', reason: 'no match', ...event },
  });
  const { attendance } = await call('POST', '/v1/attendance', { type: 'check_in', ...event });
  made = {
    ...{ devices: device.id, users: user.id },
    ...{ verifications: verification.id, attendance: attendance.id },
  };
  kept = await keepTree();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const proofOf = (name: keyof typeof made, from: number | undefined = kept.size): Promise<RecordProof> =>
  call('GET', `/v1/${name}/${made[name]}/proof${from === undefined ? '' : `?from=${from}`}`);

const script = fileURLToPath(new URL('../../examples/verify_record.py', import.meta.url));

/** What the SDK, the command line and the example in Python say, which is the same. */
async function judge(proof: object, head: object | null = kept) {
  const verdict = await verifyRecord(proof as RecordProof, head ? { head: head as TreeHead } : {});
  const file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  const keptFile = join(folder, 'kept.json');
  if (head) writeFileSync(keptFile, JSON.stringify(head));
  const args = [file, ...(head ? ['--head', keptFile] : [])];
  const shown = await runSvc(['record', 'verify', ...args]);
  const python = spawnSync('python3', [script, ...args], { encoding: 'utf8' });
  expect(python.stderr).toBe('');
  expect([shown.code, python.status]).toEqual(verdict.ok ? [0, 0] : [1, 1]);
  if (verdict.ok) expect(python.stdout).toBe(shown.out);
  else {
    expect(shown.out.split(':')[0]).toBe(verdict.code);
    expect(python.stdout.split(':')[0]).toBe(verdict.code);
  }
  return verdict;
}
const codeOf = async (proof: object, head: object | null = kept) => {
  const verdict = await judge(proof, head);
  return verdict.ok ? 'sound' : verdict.code;
};

describe('a proof of one record', () => {
  it.each(['devices', 'users', 'verifications', 'attendance'] as const)(
    'of %s shows that it is as it was sealed, under a tree that was kept [GET /v1/devices/:deviceId/proof] [GET /v1/users/:userId/proof] [GET /v1/verifications/:verificationId/proof] [GET /v1/attendance/:attendanceId/proof] [audit/proofs-of-records]',
    async (name) => {
      const verdict = await judge(await proofOf(name));
      expect(verdict).toMatchObject({ ok: true, id: made[name], isKept: true });
      expect(verdict.ok && verdict.restsOn).toEqual([
        `It rests on the tree of ${kept.size} rows, which was kept from before.`,
      ]);
    },
  );

  it('rests on the signature of the service if it was sealed after the tree that was kept', async () => {
    const { device } = await call('POST', '/v1/devices', { name: 'Later' });
    const proof = await call('GET', `/v1/devices/${device.id}/proof?from=${kept.size}`);
    expect(await judge(proof)).toMatchObject({ ok: true, isKept: false });
    const { publicKey } = kept;
    const known = { keys: { [kept.keyId]: publicKey as string } };
    const alone = await call('GET', `/v1/devices/${device.id}/proof`);
    expect(await verifyRecord(alone, known)).toMatchObject({ ok: true, isKept: false });
    expect(await codeOf(alone, null)).toBe('key_unknown');
    expect(await codeOf(alone)).toBe('kept_head_differs');
    const { head } = await call('GET', '/v1/audit?limit=1');
    expect(await codeOf(alone, head)).toBe('sound');
    expect(await codeOf(alone, { ...head, tenantId: made.users })).toBe('kept_head_differs');
  });

  it('says of a record that was sealed later that nobody knows what it said before [audit/sealed-later]', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    const { attendance } = await addOldRecords(service, other);
    await sealLater(service.app.deps);
    const path = `/v1/attendance/${attendance[2]}/proof`;
    const proof = (await service.call('GET', path, { as: other.key })).body;
    expect(proof.sealedLater).toMatchObject({ index: 2, size: 3 });
    const head = { ...proof.tree, publicKey: proof.publicKey };
    const verdict = await judge(proof, head);
    expect(verdict.ok && verdict.notChecked).toContain(
      `not checked: what it said before row ${proof.entry.seq}, because the service sealed it later.`,
    );
    const { sealedLater, record, ...rest } = proof;
    for (const changes of [
      { ...rest, record: { ...record, type: 'check_out' }, sealedLater },
      { ...rest, record, sealedLater: { ...sealedLater, index: 1 } },
      { ...rest, record, sealedLater: { ...sealedLater, proof: [] } },
    ])
      expect(await codeOf(changes, head)).toBe('record_changed');
    expect(await codeOf({ ...rest, record }, head)).toBe('record_unknown');
    expect(await codeOf({ ...proof, sealedLater: { ...sealedLater, size: 'x' } }, head)).toBe('malformed');
  });

  it('says which fields no seal covers, also ones that somebody has added', async () => {
    const proof = await proofOf('attendance');
    const added = { ...proof, record: { ...proof.record, approvedBy: 'CEO' } };
    const verdict = await judge(added);
    expect(verdict.ok && verdict.notChecked).toContain(
      'not checked: approvedBy, contestedAt, voidedBy, which no seal covers.',
    );
  });

  it('does not hold if one byte of one field was altered', async () => {
    const proof = await proofOf('verifications');
    const unsealed = ['publicKey', 'consistency'];
    const accepted: string[] = [];
    for (const [at, path] of fieldsOf(proof).entries()) {
      if (unsealed.includes(String(path[0]))) continue;
      const value = path.reduce<unknown>((part, key) => Reflect.get(part as object, key), proof);
      const other = changed(proof, path, altered(value, at)) as RecordProof;
      if ((await verifyRecord(other, { head: kept })).ok) accepted.push(path.join('.'));
    }
    expect(accepted).toEqual([]);
  });

  it.each<[string, object]>([
    ['malformed', { kind: 'session' }],
    ['malformed', { record: null }],
    ['malformed', { entry: [] }],
    ['malformed', { tree: { size: 1 } }],
    ['not_covered', { n: null }],
    ['record_unknown', { entry: null }],
    ['row_unproven', { tree: null, inclusion: null }],
    ['salt_missing', { salts: null }],
    ['record_changed', { n: 9 }],
    ['record_changed', { T: '0'.repeat(64) }],
    ['tree_wrong', { inclusion: [] }],
    ['kept_head_differs', { consistency: { from: 1, proof: [] } }],
  ])('is %s with %o', async (code, changes) => {
    expect(await codeOf({ ...(await proofOf('attendance')), ...changes })).toBe(code);
  });

  it.each([
    ['devices', { name: 'Gate' }, sql`update devices set metadata = '"text"'`],
    ['devices', { name: 'Gate' }, sql`update devices set created_at = 'infinity'`],
    ['users', { fullName: 'Bo' }, sql`update tenant_users set metadata = '7'`],
    ['verifications', { method: 'face', result: 'pass' }, sql`update verifications set metadata = '[1]'`],
    [
      'verifications',
      { method: 'face', result: 'pass' },
      sql`update verifications set occurred_at = '-infinity'`,
    ],
    ['attendance', { type: 'check_in' }, sql`update attendance set metadata = 'true'`],
  ])(
    'has only the id of one of the %s that the API cannot show any more, and is record_changed: %o',
    async (name, body, changing) => {
      const of = name === 'attendance' ? { ...body, userId: made.users } : body;
      const [record] = Object.values(await call('POST', `/v1/${name}`, of)) as [{ id: string }];
      await run(sql`${changing} where id = ${record.id}`);
      const proof = await call('GET', `/v1/${name}/${record.id}/proof?from=${kept.size}`);
      expect(proof).toMatchObject({ record: { id: record.id }, entry: { entityId: record.id } });
      expect(Object.keys(proof.record)).toEqual(['id']);
      expect(await codeOf(proof)).toBe('record_changed');
    },
  );

  it('is not taken from a file that is no proof', async () => {
    for (const text of ['', '[]', 'null', '{"kind":', '"a"']) {
      const file = join(folder, 'other.json');
      writeFileSync(file, text);
      expect([1, 2]).toContain((await runSvc(['record', 'verify', file])).code);
      const { status, stderr } = spawnSync('python3', [script, file], { encoding: 'utf8' });
      expect([1, 2]).toContain(status);
      expect(stderr).not.toContain('Traceback');
    }
  });
});

describe('somebody with the database', () => {
  it('cannot alter a record, move it by an hour or to another person, or take its salt', async () => {
    const id = made.verifications;
    const attacks: [string, Sql][] = [
      ['record_changed', sql`result = 'pass'`],
      ['record_changed', sql`occurred_at = occurred_at + interval '1 hour'`],
      ['record_changed', sql`user_id = null`],
      ['salt_missing', sql`text_salt = null`],
      ['salt_missing', sql`text_salt = upper(text_salt)`],
      ['salt_missing', sql`text_salt = ''`],
    ];
    const [honest] = await service.db.query<{ occurred_at: Date; text_salt: string }>(
      sql`select occurred_at, text_salt from verifications where id = ${id}`,
    );
    const { occurred_at, text_salt } = honest as NonNullable<typeof honest>;
    for (const [code, change] of attacks) {
      await run(sql`update verifications set ${change} where id = ${id}`);
      expect(await codeOf(await proofOf('verifications'))).toBe(code);
      await run(sql`update verifications set result = 'fail', occurred_at = ${occurred_at}, user_id = ${made.users},
        text_salt = ${text_salt} where id = ${id}`);
    }
    expect(await codeOf(await proofOf('verifications'))).toBe('sound');
  });

  it('and with the server’s secret cannot rewrite a verification that is older than the tree', async () => {
    const id = made.verifications;
    service.clock.advance(2 * 60 * 60_000);
    await call('POST', '/v1/devices', { name: 'Two hours later' });
    const later = await keepTree();
    await rewriteVerification({ service, account }, id);
    const proof = await call('GET', `/v1/verifications/${id}/proof?from=${later.size}`);
    // Its service can send the entry that it has appended, wherever it is.
    const { audit } = await call('GET', '/v1/audit?limit=1');
    const { inclusion, tree } = await call('GET', `/v1/audit/proof?seq=${audit[0].seq}`);
    const { consistency } = await call('GET', `/v1/audit/consistency?from=${later.size}&to=${tree.size}`);
    const forged = { ...proof, entry: audit[0], inclusion, tree };
    const whole = { ...forged, consistency: { from: later.size, proof: consistency } };
    expect(await codeOf(whole, later)).toBe('record_resealed');
  });

  it('cannot insert a record that no entry sealed', async () => {
    await run(sql`insert into attendance select (jsonb_populate_record(a, jsonb_build_object('id', '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b77'))).*
      from attendance a where id = ${made.attendance}`);
    const proof = await call('GET', '/v1/attendance/019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b77/proof');
    expect(await codeOf(proof)).toBe('record_unknown');
  });

  it('cannot write other text where that of an erased person was removed', async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Bo' });
    const { verification } = await call('POST', '/v1/verifications', {
      ...{ method: 'manual', result: 'fail', userId: user.id, reason: 'he laughed', referenceId: 'r1' },
    });
    const eraser = await service.createKey(account, 'live', ['users:erase']);
    const erased = await service.call('POST', `/v1/users/${user.id}/erase`, { as: eraser });
    expect(erased.status, erased.text).toBe(200);
    const path = `/v1/verifications/${verification.id}/proof?from=${kept.size}`;
    const verdict = await judge(await call('GET', path));
    expect(verdict).toMatchObject({ ok: true });
    expect(verdict.ok && verdict.checked[0]).toMatch(/^Except for its text, which was removed, /);
    await run(sql`update verifications set reference_id = 'r2' where id = ${verification.id}`);
    expect(await codeOf(await call('GET', path))).toBe('record_changed');
  });
});
