// @module-tag if-touched @core cli/ sdk/src/codecs/ zk/src/records/ examples/ server/src/features/: runs two programs for each attack
// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../server/src/db/sql.js';
import { sealLater } from '../../server/src/features/seals/seals.js';
import { addOldRecords } from '../../server/test/support/old-records.js';
import {
  type MadeRecords,
  makeRecords,
  RECORD_ATTACKS,
  type RecordAttack,
  withoutSeals,
} from '../../server/test/support/record-attacks.js';
import { type Account, type Service, startService } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';

const NAMES = ['devices', 'users', 'verifications', 'attendance'] as const;

let service: Service;
let folder: string;
let account: Account;
let made: MadeRecords;

const call = async (method: string, path: string, body?: object) =>
  (await service.call(method, path, { as: account.key, body })).body;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'svc-records-test-'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  made = await makeRecords(service, account);
});

const run = (statement: Sql) => service.db.query(statement);

async function keep(name: string, path: string): Promise<string> {
  const file = join(folder, name);
  const { status, text } = await service.call('GET', path, { as: account.key });
  expect(status, text).toBe(200);
  writeFileSync(file, text);
  return file;
}

/** Exports the records, then the chain, and compares them. */
async function verify(...more: string[]) {
  const files: string[] = [];
  for (const name of NAMES)
    files.push(await keep(`${name}.jsonl`, `/v1/${name}/export?format=jsonl&include=seal`));
  const chain = await keep('chain.jsonl', '/v1/audit/export');
  return runSvc(['audit', 'verify', chain, ...more, '--json', '--records', ...files]);
}

interface Report {
  readonly kind: string;
  readonly findings: readonly { readonly fault: string; readonly id: string; readonly seq?: number }[];
}

/** What is found, as pairs of fault and id, by the command line and by the example in Python. */
async function found(): Promise<string[]> {
  const { code, json, err } = await verify();
  expect(err).toBe('');
  const findings = (json.records as Report[]).flatMap(({ findings: of }) => of);
  expect(code).toBe(findings.length === 0 ? 0 : 1);
  const pairs = findings.map(({ fault, id }) => `${fault} ${id}`).sort();
  expect(foundByPython(code)).toEqual(pairs);
  return pairs;
}

const script = fileURLToPath(new URL('../../examples/audit-check.py', import.meta.url));

/** In the files of the last `verify`. */
function foundByPython(expectedCode: number): string[] {
  const files = ['chain', '--records', ...NAMES].map((name) =>
    name.startsWith('--') ? name : join(folder, `${name}.jsonl`),
  );
  const { status, stdout, stderr } = spawnSync('python3', [script, ...files], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(expectedCode);
  return [...stderr.matchAll(/^(\w+): \w+ ([0-9a-f-]{36})/gm)]
    .map(([, fault, id]) => `${fault} ${id}`)
    .sort();
}

/** Like audit-check.py, it rejects a name that a line has twice. */
const SEALS = `
import json, sys
sys.path.insert(0, sys.argv[1])
from record_check import seal_of
def once(pairs):
    fields = dict(pairs)
    if len(fields) != len(pairs): raise ValueError("twice")
    return fields
for kind, line in json.load(open(sys.argv[2], encoding="utf-8")):
    try: print(seal_of(kind, json.loads(line, object_pairs_hook=once)))
    except ValueError: print("refused")
`;

describe('examples/record_check.py', () => {
  it('makes the seal of every published record, and refuses what cannot be sealed', () => {
    const path = new URL('../../docs/vectors/records.json', import.meta.url);
    const { good, changed, refused } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      { name: string; kind: string; line: string; seal?: string }[]
    >;
    const all = [...(good ?? []), ...(changed ?? []), ...(refused ?? [])];
    const file = join(folder, 'lines.json');
    writeFileSync(file, JSON.stringify(all.map(({ kind, line }) => [kind, line])));
    const examples = fileURLToPath(new URL('../../examples', import.meta.url));
    const { stdout, stderr } = spawnSync('python3', ['-c', SEALS, examples, file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const made = stdout.trimEnd().split('\n');
    expect(made.slice(0, good?.length)).toEqual(good?.map(({ seal }) => seal));
    expect(made.slice(-(refused?.length ?? 0))).toEqual(refused?.map(() => 'refused'));
    const wrong = changed?.filter(({ seal }, at) => made[(good?.length ?? 0) + at] === seal);
    expect(wrong).toEqual([]);
  });
});

describe('svc audit verify --records of records that were sealed later', () => {
  let old: Awaited<ReturnType<typeof addOldRecords>>;
  beforeEach(async () => {
    account = await service.signUp({ plan: 'enterprise' });
    old = await addOldRecords(service, account);
    await sealLater(service.app.deps, 2);
  });

  it('says that they are, and for ever that nobody knows what they said before [audit/sealed-later]', async () => {
    expect(await found()).toEqual([]);
    const { json } = await verify();
    for (const report of json.records)
      expect(report).toMatchObject({ records: 3, sound: 0, sealedLater: 3, notCovered: 0 });
    const file = join(folder, 'users.jsonl');
    const said = '3 as sealed later by the operator, which does not show what they said before';
    const { out } = await runSvc(['audit', 'verify', join(folder, 'chain.jsonl'), '--records', file]);
    expect(out).toContain(said);
    const python = spawnSync('python3', [script, join(folder, 'chain.jsonl'), '--records', file]);
    expect(String(python.stdout)).toContain(said);
    await service.call('PATCH', `/v1/users/${old.user[0]}`, { as: account.key, body: { fullName: 'New' } });
    await service.call('POST', `/v1/users/${old.user[1]}/erase`, {
      as: await service.createKey(account, 'live', ['users:erase']),
      body: { reason: 'request' },
    });
    expect(await found()).toEqual([]);
    expect((await verify()).json.records[1]).toMatchObject({ sound: 1, sealedLater: 1, erased: 1 });
  });

  it('names each that was changed, deleted or sealed again since [audit/sealed-later]', async () => {
    await run(sql`update verifications set result = 'pass' where id = ${old.verification[0]}`);
    await run(sql`delete from verifications where id = ${old.verification[1]}`);
    await run(sql`update attendance set seal_n = null, facts_salt = null, text_salt = null
      where id in (${old.attendance[0]}, ${old.attendance[1]})`);
    expect(await found()).toEqual(
      [
        `record_changed ${old.verification[0]}`,
        `record_missing ${old.verification[1]}`,
        `salt_missing ${old.attendance[0]}`,
        `salt_missing ${old.attendance[1]}`,
      ].sort(),
    );
    await sealLater(service.app.deps);
    expect(await found()).toContain(`record_resealed ${old.attendance[0]}`);
  });

  it('compares nothing with a file that lacks a page, or has another [audit/sealed-later]', async () => {
    await verify();
    const [chain, file] = [join(folder, 'chain.jsonl'), join(folder, 'users.jsonl')];
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const last = lines.length - 1;
    const end = JSON.parse(lines[last] as string);
    const written: [string, readonly string[]][] = [
      ['without a page', [...lines.slice(0, 3), ...lines.slice(4)]],
      ['with fewer pages', [...lines.slice(0, 3), lines[4] ?? '', JSON.stringify({ ...end, pages: 1 })]],
      ['with another', [...lines.slice(0, 3), '{"sealedLater":[]}', ...lines.slice(4)]],
      ['with one twice', [...lines.slice(0, 4), lines[3] ?? '', lines[last] ?? '']],
    ];
    for (const [name, text] of written) {
      writeFileSync(file, `${text.join('\n')}\n`);
      expect((await runSvc(['audit', 'verify', chain, '--records', file])).code, name).toBe(2);
      expect(spawnSync('python3', [script, chain, '--records', file]).status, name).toBe(2);
    }
  });
});

describe('svc audit verify --records', () => {
  it('finds nothing wrong with what nobody has changed, and counts it', async () => {
    const { json, code } = await verify();
    expect(code).toBe(0);
    expect(json.records).toMatchObject(
      [
        ['device', 1],
        ['user', 2],
        ['verification', 2],
        ['attendance', 1],
      ].map(([kind, records]) => ({ kind, records, sound: records, notCovered: 0, faults: 0, findings: [] })),
    );
  });

  it('says of a person who was erased what can still be checked', async () => {
    const as = await service.createKey(account, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${made.user}/erase`, {
      as,
      body: { reason: 'request', events: 'strip' },
    });
    expect(await found()).toEqual([]);
    const [, users, events] = (await verify()).json.records;
    expect(users).toMatchObject({ sound: 1, erased: 1 });
    expect(events).toMatchObject({ sound: 2 });
  });

  it('names the row of an erased person that somebody has put back', async () => {
    const [kept] = await service.db.query<{ row: object }>(
      sql`select to_jsonb(u) as row from tenant_users u where id = ${made.user}`,
    );
    const as = await service.createKey(account, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${made.user}/erase`, { as });
    await run(sql`delete from tenant_users where id = ${made.user}`);
    await run(sql`insert into tenant_users
      select (jsonb_populate_record(null::tenant_users, ${JSON.stringify(kept?.row)}::jsonb)).*`);
    expect(await found()).toEqual([`record_changed ${made.user}`]);
    await run(
      sql`update tenant_users set full_name = '', facts_salt = null, text_salt = null where id = ${made.user}`,
    );
    expect(await found()).toEqual([`salt_missing ${made.user}`]);
  });

  it('accuses no file from before people were erased or records deleted because of their age', async () => {
    await verify();
    const as = await service.createKey(account, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${made.user}/erase`, { as });
    const before = new Date(service.clock.now() + 24 * 60 * 60_000).toISOString();
    const metadata = { before, verification_last: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const actor = { type: 'system', id: null } as const;
    await service.app.deps.write({ scope, actor, action: 'tenant.retention_applied' }, async (w) => {
      w.audit({ entityType: 'tenant', entityId: account.tenantId, metadata });
    });
    const chain = await keep('chain.jsonl', '/v1/audit/export');
    const files = NAMES.map((name) => join(folder, `${name}.jsonl`));
    const { code, out } = await runSvc(['audit', 'verify', chain, '--records', ...files]);
    expect(code, out).toBe(0);
    expect(foundByPython(0)).toEqual([]);
  });

  it('says what it could not judge: other kinds, and what was made while the file was written', async () => {
    const { text } = await service.call('GET', '/v1/verifications/export?format=jsonl&include=seal', {
      as: account.key,
    });
    const chain = await keep('chain.jsonl', '/v1/audit/export');
    const file = join(folder, 'verifications.jsonl');
    const [last = ''] = text.trimEnd().split('\n').slice(-1);
    const { headBefore, ...end } = JSON.parse(last);
    const first = JSON.parse(readFileSync(chain, 'utf8').split('\n')[0] as string);
    const early = { ...headBefore, seq: first.seq, hash: first.hash, at: first.createdAt };
    // As if the file had been written since the first row.
    writeFileSync(file, `${JSON.stringify({ ...end, count: 0, headBefore: early })}\n`);
    const { code, out } = await runSvc(['audit', 'verify', chain, '--records', file]);
    expect(code).toBe(0);
    expect(out).toContain(
      '0 records, 0 as sealed, 2 not there, because they were made while the file was written (rows 1 to ',
    );
    expect(out).toContain('Not compared, because no file has them: devices, people, check-ins.');
    const python = spawnSync('python3', [script, chain, '--records', file], { encoding: 'utf8' });
    expect(python.stdout).toContain('0 records, 0 as sealed, 2 not there, because they were made while');
    writeFileSync(file, `${JSON.stringify({ ...end, count: 0, headBefore: { ...headBefore, seq: -1 } })}\n`);
    expect((await runSvc(['audit', 'verify', chain, '--records', file])).code).toBe(2);
    expect(spawnSync('python3', [script, chain, '--records', file]).status).toBe(2);
  });

  it('says that it compared nothing with a chain that is not valid', async () => {
    const file = await keep('users.jsonl', '/v1/users/export?format=jsonl&include=seal');
    const chain = await keep('chain.jsonl', '/v1/audit/export');
    writeFileSync(chain, readFileSync(chain, 'utf8').replace('"user.created"', '"user.updated"'));
    const { code, out } = await runSvc(['audit', 'verify', chain, '--records', file]);
    expect(code).toBe(1);
    expect(out).toMatch(/^The chain is not valid: .*\nThe records were not compared with it\.\n$/);
  });

  it('says of a record that it is in the file twice', async () => {
    const { text } = await service.call('GET', '/v1/users/export?format=jsonl&include=seal', {
      as: account.key,
    });
    const chain = await keep('chain.jsonl', '/v1/audit/export');
    const file = join(folder, 'users.jsonl');
    const [one = ''] = text.split('\n');
    writeFileSync(file, `${one}\n${text.replace('"count":2', '"count":3')}`);
    const { code, json } = await runSvc(['audit', 'verify', chain, '--json', '--records', file]);
    expect(code).toBe(1);
    expect(json).toMatchObject({ holds: false, records: [{ faults: 1, findings: [{ times: 2 }] }] });
    const { out } = await runSvc(['audit', 'verify', chain, '--records', file]);
    expect(out).toContain('is in the file 2 times');
  });

  it('says which records are from before there were seals, and accuses nobody', async () => {
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const actor = { type: 'system', id: null } as const;
    const id = '01890000-0000-7000-8000-000000000001';
    // As a version without seals did.
    await service.app.deps.write({ scope, actor, action: 'verification.created' }, async (w) => {
      w.audit({ entityType: 'verification', entityId: id, metadata: { method: 'manual', result: 'pass' } });
    });
    await run(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
      values (${account.tenantId}, 'live', ${id}, 'manual', 'pass', now(), now())`);
    expect(await found()).toEqual([]);
    expect((await verify()).json.records[2]).toMatchObject({ records: 3, sound: 2, notCovered: 1 });
  });

  it('says which records a node of the version before made or changed during the upgrade, and accuses nobody', async () => {
    await withoutSeals(made);
    expect(await found()).toEqual([]);
    const notCovered = (await verify()).json.records.map(
      (report: { notCovered: number }) => report.notCovered,
    );
    expect(notCovered).toEqual([1, 2, 1, 0]);
    await call('PATCH', `/v1/devices/${made.device}`, { name: 'Side gate' });
    expect(await found()).toEqual([]);
    expect((await verify()).json.records[0]).toMatchObject({ sound: 1, notCovered: 0 });
  });

  it.each(Object.keys(RECORD_ATTACKS))('names %s', async (name) => {
    const { attack, faults } = RECORD_ATTACKS[name] as RecordAttack;
    await attack(made);
    expect(await found()).toEqual(
      faults(made)
        .map(([fault, , id]) => `${fault} ${id}`)
        .sort(),
    );
  });

  it('reads a hostile file to its end, and says what is wrong', async () => {
    const { text } = await service.call('GET', '/v1/users/export?format=jsonl&include=seal', {
      as: account.key,
    });
    const chain = await keep('chain.jsonl', '/v1/audit/export');
    const file = join(folder, 'users.jsonl');
    const [first = '', ...rest] = text.split('\n');
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const [line, code] of [
      ['null', 2],
      ['[]', 2],
      ['{"id":7}', 2],
      // Another program could read the first name.
      [first.replace('"status":', '"status":"inactive","status":'), 2],
      [first.replace(/"salts":\{[^}]*\}/, '"salts":[]'), 1],
      [first.replace(/"salts":\{[^}]*\}/, '"salts":{"facts":1,"text":{}}'), 1],
      [first.replace(/"metadata":(null|\{[^}]*\})/, `"metadata":${deep}`), 1],
    ] as const) {
      writeFileSync(file, [line, ...rest].join('\n'));
      const { code: ours, err } = await runSvc(['audit', 'verify', chain, '--records', file]);
      expect(ours, `${line.slice(0, 200)} ${err}`).toBe(code);
      const python = spawnSync('python3', [script, chain, '--records', file], { encoding: 'utf8' });
      expect(python.stderr).not.toContain('Traceback');
      expect(python.status).toBeGreaterThan(0);
    }
  });

  it('names a device that was changed after the head that somebody kept, and who changed it', async () => {
    const kept = await keep('kept.json', '/v1/audit?limit=1');
    await call('PATCH', `/v1/devices/${made.device}`, { name: 'Side gate' });
    const { json, code } = await verify('--since', kept);
    expect(code).toBe(0);
    expect(json.records[0]).toMatchObject({ sound: 1, changedLater: 1 });
    expect(json.records[0].later[0]).toMatchObject({
      id: made.device,
      actor: expect.stringMatching(/^api_key /),
    });
  });

  it('compares no file that was cut off, and none with a chain that ended before it or is another one', async () => {
    const early = await keep('early.jsonl', '/v1/audit/export');
    const whole = await service.call('GET', '/v1/users/export?format=jsonl&include=seal', {
      as: account.key,
    });
    const late = await keep('late.jsonl', '/v1/audit/export');
    const file = join(folder, 'users.jsonl');
    const refused = async (text: string, chain = late) => {
      writeFileSync(file, text);
      const { code, err } = await runSvc(['audit', 'verify', chain, '--records', file]);
      expect(code, err).toBe(2);
      const python = spawnSync('python3', [script, chain, '--records', file], { encoding: 'utf8' });
      expect(python.status, python.stderr).toBe(2);
      return err;
    };
    const lines = whole.text.split('\n');
    expect(await refused(lines.slice(0, -2).join('\n'))).toMatch(/incomplete/);
    expect(await refused(lines.slice(1).join('\n'))).toMatch(/incomplete/);
    expect(await refused(`${whole.text}{}\n`)).toMatch(/incomplete/);
    expect(await refused(whole.text, early)).toMatch(/Export the chain after the records/);
    const other = await service.signUp();
    const { text } = await service.call('GET', '/v1/users/export?format=jsonl&include=seal', {
      as: other.key,
    });
    expect(await refused(text)).toMatch(/belongs to another chain/);
    const unsigned = text.replaceAll(/"publicKey":"[0-9a-f]+"/g, '"publicKey":null');
    expect(await refused(unsigned)).toMatch(/belongs to another chain/);
  });
});
