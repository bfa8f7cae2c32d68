import { createHash, sign } from 'node:crypto';
import { type HoursCheckOptions, type HoursVerdict, verifyHours } from '@svc/sdk/hours';
import type { KeptTree } from '@svc/sdk/time';
import type { AuditRow } from '@svc/zk/approvals/receipt';
import { hoursMessage, nextDigest } from '@svc/zk/time/hours-file';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyring, sha256 } from '../../src/base/crypto/keyring.js';
import { sql } from '../../src/db/sql.js';
import { signTree } from '../../src/features/audit/tree/signature.js';
import { canonicalEvent, linkHash } from '../../src/ledger/audit-chain.js';
import { logInAgain, type MemberAccount } from '../support/members.js';
import type { Person } from '../support/phone.js';
import { contest, decideOwn, punchAt, type Site } from '../support/punches.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { proveRotation, withNewSecret } from '../support/several-phones.js';
import type { OpenDesk } from '../support/staff.js';
import { employ, memberWith, timeScene } from '../support/time-scene.js';

useRealProofs();
const SECRET = 'the secret of the tests, 32 bytes and more';
const keyring = createKeyring(SECRET);
let service: Service;
let account: Account;
let site: Site;
let desk: OpenDesk;
let ada: Person;
let grace: Person;
let hr: MemberAccount;
let month: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const hour = 3_600_000;
const read = (more = '', as: object = { as: account.key }): Promise<Reply> =>
  service.call('GET', `/v1/attendance/sheets?siteId=${site.id}&month=${month}&format=svc-hours${more}`, as);
const check = (text: string, options: HoursCheckOptions = {}): Promise<HoursVerdict> =>
  verifyHours([text], { allowDevelopmentKeys: true, ...options });

async function begin(): Promise<void> {
  // The first of a month, so that all of it is in one.
  const now = new Date(service.clock.now());
  service.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 3, 8) - now.getTime());
  ({ account, site, desk, ada } = await timeScene(service));
  grace = await employ(service, { account, site }, { fullName: 'Grace Hopper' });
  hr = await memberWith(service, account, { hours: true });
  month = new Date(service.clock.now()).toISOString().slice(0, 7);
}

async function work(person: Person, hours = 1): Promise<{ id: string; occurredAt: string }[]> {
  const first = await punchAt(service, desk, person);
  service.clock.advance(hours * hour);
  const last = await punchAt(service, desk, person, { type: 'check_out' });
  service.clock.advance(60_000);
  return [first.body.attendance, last.body.attendance];
}

async function correct(person: Person, old: string, occurredAt: string, decision: 'agree' | 'contest') {
  const reply = await service.call('POST', '/v1/attendance/corrections', {
    as: hr.token,
    body: {
      ...{ userId: person.userId, cause: 'wrong_time' },
      changes: [{ old, new: { type: 'check_out', reason: 'work', occurredAt } }],
    },
  });
  expect(reply.status, reply.text).toBe(201);
  const decided = await decideOwn(service, person, account, reply.body.correction, decision);
  expect(decided.status, decided.text).toBe(200);
}

/** A month with a bit of everything. */
async function busyMonth(): Promise<void> {
  const [, out] = await work(ada, 2);
  const [first] = await work(grace, 1);
  await contest(service, grace, account, first?.id as string);
  await correct(
    ada,
    out?.id as string,
    new Date(Date.parse(out?.occurredAt as string) - 60_000).toISOString(),
    'agree',
  );
  const [, again] = await work(ada, 1);
  await correct(ada, again?.id as string, again?.occurredAt as string, 'contest');
  const reply = await service.call('POST', '/v1/attendance', {
    as: account.key,
    body: { userId: ada.userId, type: 'check_in' },
  });
  expect(reply.status, reply.text).toBe(201);
}

/** What somebody keeps beforehand. */
async function keepTree(): Promise<KeptTree> {
  const header = JSON.parse((await read()).text.split('\n')[0] as string);
  return { ...header.tree, publicKey: header.publicKey };
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n');
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const codes = (verdict: HoursVerdict): string[] => [
  ...('code' in verdict ? [verdict.code] : []),
  ...new Set(verdict.findings.map(({ code }) => code)),
];

/** Signs altered lines again, as somebody with `SVC_SECRET` can. */
function signAgain(lines: readonly string[]): string {
  const header = JSON.parse(lines[0] as string);
  const { kid: keyId, signing } = keyring.current;
  const body = lines.slice(0, -1);
  const digest = body.reduce((before, line) => nextDigest(before, line, sha256), '');
  const of = { lines: body.length, sha256: digest, keyId };
  const signature = sign(null, Buffer.from(hoursMessage(header, of)), signing.privateKey).toString('hex');
  return textOf([...body, JSON.stringify({ end: { ...of, publicKey: signing.publicHex, signature } })]);
}

describe('the file of a month [time/hours-file]', () => {
  beforeEach(begin);

  it('holds, and says how each event is known', async () => {
    await busyMonth();
    const { status, text, headers } = await read();
    expect(status, text).toBe(200);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const verdict = await check(text);
    expect(verdict).toMatchObject({
      ...{ ok: true, findings: [], faults: 0, people: 2, erased: 0, isComplete: true, closedAt: null },
      counts: { proved: 5, declared: 0, agreed: 1, asserted: 1, contested: 1 },
    });
    expect(text).not.toContain(hr.email);
  });

  it('rests on a tree that was kept, from before the month or within it', async () => {
    const before = await keepTree();
    await busyMonth();
    const within = await keepTree();
    await work(ada);
    for (const kept of [before, within]) {
      const { text } = await read(`&from=${kept.size}`);
      const verdict = await check(text, { head: kept });
      expect(codes(verdict)).toEqual([]);
      expect(verdict).toMatchObject({ ok: true, conclusion: expect.stringContaining(`entry ${kept.size}`) });
    }
    const older = (await read()).text;
    await work(ada);
    expect(codes(await check(older, { head: await keepTree() }))).toEqual(['kept_head_differs']);
    const { body } = await read(`&from=${before.size + 10_000}`);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });

  it('is not written of a month that the site no longer keeps, and nothing says that somebody looked', async () => {
    await begin();
    await work(ada);
    const as = await service.createKey(account, 'live', ['sites:write']);
    await service.call('PATCH', `/v1/sites/${site.id}`, { as, body: { retentionMonths: 2 } });
    const looks = async () =>
      (await service.call('GET', '/v1/audit?limit=100', { as: account.key })).body.audit.filter(
        ({ action }: { action: string }) => action === 'attendance.sheets_exported',
      ).length;
    service.clock.advance(62 * 24 * hour);
    expect((await read()).status).toBe(200);
    const before = await looks();
    service.clock.advance(30 * 24 * hour);
    expect((await read()).body).toMatchObject({
      error: 'invalid_request',
      details: [{ path: 'query.month', message: 'is older than what the site keeps: retentionMonths is 2' }],
    });
    expect(await looks()).toBe(before);
  });

  it('of one person leaves out what others did', async () => {
    await busyMonth();
    const { text } = await read(`&userId=${grace.userId}`);
    expect(text).not.toContain(ada.userId);
    expect(await check(text)).toMatchObject({
      ok: true,
      people: 1,
      isComplete: false,
      counts: { proved: 2 },
    });
  });

  it('says that the month was closed, and what came after', async () => {
    await busyMonth();
    service.clock.advance(40 * 24 * hour);
    hr = await logInAgain(service, hr);
    const { flags } = (
      await service.call('GET', `/v1/attendance/months/${month}?siteId=${site.id}`, { as: account.key })
    ).body;
    const close = await service.call('POST', `/v1/attendance/months/${month}/close`, {
      ...{ session: hr.token, body: { siteId: site.id, openFlags: flags.length } },
    });
    expect(close.status, close.text).toBe(201);
    const closed = await read();
    const verdict = await check(closed.text);
    expect(codes(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ ok: true, closedAt: close.body.closing.closedAt });
    // What an entry recorded after the closing changes the sheets, and not what was closed.
    const late = {
      userId: ada.userId,
      type: 'check_out',
      occurredAt: new Date(service.clock.now() - 39 * 24 * hour).toISOString(),
    };
    expect((await service.call('POST', '/v1/attendance', { as: account.key, body: late })).status).toBe(201);
    const { text } = await read();
    expect(codes(await check(text))).toEqual([]);
    // A closing that is hidden as an entry of another kind leaves a gap, unless it is the last.
    const lines = linesOf(text);
    const at = lines.findIndex((line) => line.includes('attendance.month_closed'));
    expect(codes(await check(signAgain(lines.with(at, hide(lines[at] as string)))))).toContain(
      'entry_missing',
    );
  });

  it('counts what erased people proved apart, because nothing is left to compare it with', async () => {
    await work(ada);
    await work(grace);
    const erased = await service.call('POST', `/v1/users/${grace.userId}/erase`, {
      as: await service.createKey(account, 'live', ['users:erase']),
      body: { reason: 'request', hours: 'later' },
    });
    expect(erased.status, erased.text).toBe(200);
    const { text } = await read();
    expect(text).not.toContain('Hopper');
    const verdict = await check(text);
    expect(codes(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ ok: true, erased: 2, counts: { proved: 4 } });
    // Without the entry of the erasure, nothing shows whose phone it was.
    const lines = linesOf(text);
    const at = lines.findIndex((line) => line.includes('"action":"user.erased"'));
    expect(codes(await check(signAgain(lines.with(at, hide(lines[at] as string)))))).toEqual([
      'enrolment_missing',
    ]);
  });

  it('of a phone whose key was replaced in the month has both enrolments', async () => {
    await work(ada);
    const renewed = withNewSecret(ada);
    const body = await proveRotation(service, ada, renewed, { tenantId: account.tenantId });
    expect((await service.call('POST', '/v1/identity/rotate', { as: account.key, body })).status).toBe(200);
    await work({ ...renewed, userId: ada.userId });
    const verdict = await check((await read()).text);
    expect(codes(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ ok: true, counts: { proved: 4 } });
  });

  it('is for keys with all three scopes, for members with hours and for representatives', async () => {
    await work(ada);
    const needed = ['attendance:read', 'identity:read', 'audit:read'] as const;
    for (const missing of needed) {
      const scopes = needed.filter((scope) => scope !== missing);
      const { body } = await read('', { as: await service.createKey(account, 'live', scopes) });
      expect(body.error).toBe('insufficient_scopes');
    }
    const council = await memberWith(service, account, { representative: true });
    const others = await memberWith(service, account, {}, 'developer');
    expect((await read('', { session: hr.token })).status).toBe(200);
    expect((await read('', { session: council.token })).status).toBe(200);
    expect((await read('', { session: others.token })).body.error).toBe('role_insufficient');
    const { audit } = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body;
    expect(audit[0]).toMatchObject({ action: 'attendance.sheets_exported', actorType: 'member' });
  });
});

const hide = (line: string): string => {
  const { prevHash, hash: _, ...event } = JSON.parse(line).entry;
  return JSON.stringify({ seq: event.seq, prevHash, digest: sha256(canonicalEvent(event)) });
};

describe('a file that somebody altered [time/hours-file]', () => {
  let text: string;
  beforeAll(async () => {
    await begin();
    await busyMonth();
    ({ text } = await read());
  });

  it('never holds, whichever byte is another', async () => {
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const altered = Buffer.from(bytes);
        altered[at] = (altered[at] as number) ^ by;
        const verdict = await check(altered.toString('latin1'));
        expect(verdict.ok, `byte ${at} of ${bytes.length}`).toBe(false);
      }),
      { numRuns: 60, seed: 59 },
    );
  });

  it('never holds without one of its lines, nor with one twice or two in another order', async () => {
    const lines = linesOf(text);
    const step = Math.ceil(lines.length / 20);
    for (let at = 0; at < lines.length; at += step) {
      const without = lines.toSpliced(at, 1);
      const twice = lines.toSpliced(at, 0, lines[at] as string);
      const moved = [...without.slice(0, at + 1), lines[at] as string, ...without.slice(at + 1)];
      for (const altered of [without, twice, moved])
        expect((await check(textOf(altered))).ok, `line ${at + 1} of ${lines.length}`).toBe(
          textOf(altered) === textOf(lines),
        );
    }
    expect(codes(await check(textOf(lines.slice(0, -1))))).toEqual(['incomplete']);
    expect(codes(await check(textOf(lines).slice(0, -5)))).toEqual(['incomplete']);
    expect(codes(await check(''))).toEqual(['incomplete']);
  });

  it('says what another program did to it', async () => {
    const first = text.indexOf('\n');
    for (const [altered, why] of [
      [`\uFEFF${text}`, /byte order mark/],
      [text.replaceAll('\n', '\r\n'), /CR LF/],
      [text.replace('"first":', '"first":0,"first":'), /not written as/],
      [text.replace('"first":', '"first":0'), /not JSON|not written as/],
      [`${text.slice(0, first)}\n${'['.repeat(100_000)}${text.slice(first)}`, /not JSON|not one of/],
      [text.replace('svc-hours-1', 'svc-hours-2'), /does not begin/],
      [text.replace('Europe/Berlin', 'Europe/Berlyn'), /time zone/],
    ] as const) {
      const verdict = await check(altered);
      expect(verdict).toMatchObject({ ok: false, code: 'malformed', message: expect.stringMatching(why) });
    }
    expect(codes(await check(signAgain(linesOf(text).toSpliced(1, 0, '{"other":1}'))))).toEqual([
      'malformed',
    ]);
  });

  it('is named by its first entry that is hidden among others, also signed again', async () => {
    const lines = linesOf(text);
    const numbered = lines.flatMap((line, at) =>
      line.startsWith('{"entry":') && line.includes('"number":') ? [at] : [],
    );
    for (const at of numbered.slice(0, -1)) {
      const verdict = await check(signAgain(lines.with(at, hide(lines[at] as string))));
      expect(codes(verdict), lines[at]).toContain('entry_missing');
    }
    const [at = 0] = numbered;
    const { entry } = JSON.parse(lines[at] as string);
    const bare = await check(signAgain(lines.with(at, JSON.stringify({ entry }))));
    expect(codes(bare)).toContain('record_missing');
  });
});

describe('somebody with the database and the secret [time/hours-file]', () => {
  /** The file after a change in the database, judged by what was kept before. */
  const TABLES = ['attendance', 'attendance_proofs', 'attendance_corrections'];
  let kept: KeptTree;
  let text: string;
  beforeAll(async () => {
    await begin();
    await busyMonth();
    kept = await keepTree();
    ({ text } = await read(`&from=${kept.size}`));
    for (const table of TABLES) await run(`create table kept_${table} as select * from ${table}`);
  });
  afterEach(async () => {
    for (const table of TABLES)
      await run(`delete from ${table}; insert into ${table} select * from kept_${table}`);
  });
  // Other tests compare the schema of this database.
  afterAll(async () => {
    for (const table of TABLES) await run(`drop table kept_${table}`);
  });
  async function afterwards(change: (ids: string[]) => Promise<unknown>) {
    const { attendance } = (await service.call('GET', '/v1/attendance?sort=oldest', { as: account.key }))
      .body;
    await change(attendance.map(({ id }: { id: string }) => id));
    return codes(await check((await read(`&from=${kept.size}`)).text, { head: kept }));
  }
  const run = (text: string) => service.db.script(text);

  it.each([
    [
      'moves a time',
      'record_changed',
      (id: string) =>
        `update attendance set occurred_at = occurred_at + interval '10 minutes' where id = '${id}'`,
    ],
    [
      'turns coming into going',
      'record_changed',
      (id: string) => `update attendance set type = 'check_out' where id = '${id}'`,
    ],
    ['deletes an event', 'record_missing', (id: string) => `delete from attendance where id = '${id}'`],
    [
      'deletes a proof',
      'punch_wrong',
      (id: string) => `delete from attendance_proofs where attendance_id = '${id}'`,
    ],
    ['takes a contest away', 'record_changed', () => 'update attendance set contested_at = null'],
    [
      'voids an event by no correction',
      'record_changed',
      (id: string) => `update attendance set voided_by = gen_random_uuid() where id = '${id}'`,
    ],
    [
      'takes a salt away',
      'salt_missing',
      (id: string) => `update attendance set facts_salt = null where id = '${id}'`,
    ],
    [
      'changes what a correction says',
      'correction_wrong',
      () => `update attendance_corrections set note = 'another' where state = 'agreed'`,
    ],
    [
      'turns a contested correction into an agreed one',
      'correction_wrong',
      () => `update attendance_corrections set state = 'agreed'`,
    ],
    ['deletes a correction', 'correction_missing', () => 'delete from attendance_corrections'],
  ])('%s: %s', async (_, code, change) => {
    expect(await afterwards(([id]) => run(change(id as string)))).toContain(code);
  });

  it('gives an event to somebody else, or invents one', async () => {
    expect(
      await afterwards(([id]) => run(`update attendance set user_id = '${grace.userId}' where id = '${id}'`)),
    ).toContain('record_changed');
    const invented = await afterwards(async ([id]) => {
      const { rows } = {
        rows: await service.db.query(sql`select * from attendance where id = ${id as string}`),
      };
      const columns = Object.keys(rows[0] as object)
        .filter((name) => name !== 'id')
        .join(', ');
      await run(
        `insert into attendance (id, ${columns}) select '019e0000-0000-7000-8000-000000000001', ${columns} from attendance where id = '${id}'`,
      );
    });
    expect(invented).toContain('record_unknown');
  });

  it('shows other sheets', async () => {
    const lines = linesOf(text);
    const at = lines.findIndex((line) => line.startsWith('{"sheet":'));
    const other = lines.with(
      at,
      (lines[at] as string).replace(/"minutes":(\d+)/, (_, minutes) => `"minutes":${Number(minutes) + 1}`),
    );
    expect(codes(await check(signAgain(other)))).toEqual(['sheet_wrong']);
  });

  it('writes another chain, which a tree that was kept contradicts', async () => {
    const forged = forge(linesOf(text), (entry) =>
      entry.action === 'attendance.created' ? { ...entry, actorId: null } : entry,
    );
    expect(codes(await check(forged))).toEqual([]);
    expect(codes(await check(forged, { head: kept }))).toEqual(['kept_head_differs']);
  });
});

/** Links every entry of a file again after a change, and signs tree and file. */
function forge(lines: readonly string[], change: (entry: AuditRow) => AuditRow): string {
  let before: string | undefined;
  const header = JSON.parse(lines[0] as string);
  const linked = lines.slice(1, -1).map((line) => {
    const value = JSON.parse(line);
    if ('digest' in value) {
      const prevHash = before ?? value.prevHash;
      before = linkOf(prevHash, value.digest);
      return JSON.stringify({ ...value, prevHash });
    }
    if (!('entry' in value)) return line;
    const { prevHash: own, hash: _, ...event } = change(value.entry);
    const prevHash = before ?? own;
    before = linkHash(prevHash, canonicalEvent(event));
    return JSON.stringify({ ...value, entry: { ...event, prevHash, hash: before } });
  });
  const head = { ...header.tree, hash: before, at: Date.parse(header.tree.at) };
  const tree = { ...header.tree, hash: before, ...signTree(keyring.current, header, head) };
  return signAgain([JSON.stringify({ ...header, tree }), ...linked, '']);
}

const linkOf = (prevHash: string, digest: string): string =>
  createHash('sha256')
    .update(Buffer.from(prevHash + digest, 'hex'))
    .digest('hex');
