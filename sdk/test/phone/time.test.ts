import { randomUUID } from 'node:crypto';
import {
  contestAttendance,
  decideCorrection,
  linkMember,
  monthOf,
  type PunchReceipt,
  prepareCorrection,
  preparePunch,
  proposeCorrection,
  punch,
  readAttendanceCode,
  readContext,
  readMemberLink,
  readMonth,
  setAttendancePin,
  takingBack,
} from '@svc/sdk/time';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Person, registerPerson } from '../../../server/test/support/phone.js';
import { fetchFrom, phoneWith } from '../../../server/test/support/phones.js';
import { codeAt, createSite, placeDesk, type Site } from '../../../server/test/support/punches.js';
import { type Account, type Service, startService } from '../../../server/test/support/service.js';
import { type OpenDesk, openedDesk } from '../../../server/test/support/staff.js';

let service: Service;
let account: Account;
let desk: OpenDesk;
let site: Site;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  site = await createSite(service, account);
  desk = await openedDesk(service, account);
  await placeDesk(service, account, desk, site);
});
afterAll(() => service.close());

/** Changes a reply of the service, or loses it. */
type Network = (path: string, reply: Response) => Promise<Response>;

async function employ(network: Network = async (_, reply) => reply) {
  const { body } = await service.call('POST', '/v1/users', {
    as: account.key,
    body: { fullName: 'Ada Lovelace', externalId: randomUUID(), siteId: site.id },
  });
  const person: Person = await registerPerson(service, account.key, { externalId: body.user.externalId });
  const fetch: typeof globalThis.fetch = async (...request) =>
    network(new URL(String(request[0])).pathname, await fetchFrom(service)(...request));
  return { person, id: person.did, phone: phoneWith(service, account, person, { fetch }) };
}
type Employed = Awaited<ReturnType<typeof employ>>;

const scan = async ({ phone, id }: Employed) => {
  const scanned = readAttendanceCode(await codeAt(service, desk));
  return readContext(phone, id, scanned?.code);
};
const clock = async (of: Employed, type: 'check_in' | 'check_out') =>
  punch(of.phone, of.id, preparePunch(await scan(of), { type }));
const list = async () => (await service.call('GET', '/v1/attendance', { as: account.key })).body.attendance;
const thisMonth = () => monthOf(service.clock.now(), site.timeZone);

type Fields = Record<string, unknown>;

/** A reply with a value at a path that is another one. */
const altered =
  (at: string, path: string, value: unknown): Network =>
  async (of, reply) => {
    if (of !== at || !reply.ok) return reply;
    const body = (await reply.json()) as Fields;
    const steps = path.split('.');
    const last = steps.pop() as string;
    const place = steps.reduce((each, step) => each[step] as Fields, body);
    place[last] = typeof value === 'function' ? value(place[last]) : value;
    return new Response(JSON.stringify(body), reply);
  };

it('a code names its account, whether it is the address of a page or the code alone', async () => {
  const code = await codeAt(service, desk);
  const { tenantId } = account;
  expect(readAttendanceCode(code)).toEqual({ code, tenantId, environment: 'live' });
  const address = `https://id.example.com/phone/#code=${encodeURIComponent(code)}`;
  expect(readAttendanceCode(address)).toMatchObject({ code, tenantId, origin: 'https://id.example.com' });
  for (const text of ['', 'svc://attend?c=abc', code.slice(0, -1), 'svc://reg?step=pair'])
    expect(readAttendanceCode(text)).toBeUndefined();
});

it('comes and goes at a desk, with a receipt that was recomputed', async () => {
  const ada = await employ();
  const { attendance, receipt, signature } = await clock(ada, 'check_in');
  expect(attendance).toMatchObject({ userId: ada.person.userId, type: 'check_in', mode: 'desk' });
  expect([receipt.head.hash, signature]).toEqual([receipt.entry.hash, 'valid']);
  expect((await clock(ada, 'check_out')).attendance.type).toBe('check_out');
});

it.each<readonly [path: string, value: unknown]>([
  ['attendance.occurredAt', '2026-01-01T08:00:00.000Z'],
  ['attendance.type', 'check_out'],
  ['attendance.reason', 'break'],
  ['attendance.evidence', 'asserted'],
  ['attendance.deviceId', null],
  ['attendance.userId', '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b29'],
  ['attendance.siteId', null],
  ['receipt.n', 1],
  ['receipt.salts.facts', '0'.repeat(32)],
  ['receipt.entry.metadata.at', '2026-01-01T08:00:00.000Z'],
  ['receipt.entry.prevHash', '0'.repeat(64)],
  ['receipt.head.seq', 1],
  ['receipt.head.at', '2026-01-01T08:00:00.000Z'],
  ['receipt.head.signature', (hex: string) => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`],
])('an answer with another %s is no receipt', async (path, value) => {
  const ada = await employ(altered('/v1/phone/attendance', path, value));
  await expect(clock(ada, 'check_in')).rejects.toMatchObject({ code: 'receipt_wrong' });
});

it('a lost answer is no second punch, also when the person tries again later', async () => {
  let lost = 0;
  const ada = await employ(async (path, reply) => {
    if (path !== '/v1/phone/attendance' || lost >= 6) return reply;
    lost += 1;
    throw new TypeError('the connection was cut');
  });
  const prepared = preparePunch(await scan(ada), { type: 'check_in' });
  await expect(punch(ada.phone, ada.id, prepared)).rejects.toMatchObject({ code: 'unreachable' });
  service.clock.advance(5 * 60_000);
  const { attendance } = await punch(ada.phone, ada.id, prepared);
  expect(await list()).toEqual([attendance]);
});

it('a place of another account or service is not shown', async () => {
  const { id, phone } = await employ();
  const other = await service.signUp({ plan: 'enterprise' });
  const foreign = await codeAt(service, await openedDesk(service, other));
  await expect(readContext(phone, id, foreign)).rejects.toMatchObject({ code: 'foreign_code' });
  const context = '/v1/phone/attendance/context';
  for (const [path, value] of [
    ['context.issuer', 'https://evil.example'],
    ['context.company', 'Example \u202e'],
    ['context.place.name', ''],
  ] as const)
    await expect(scan(await employ(altered(context, path, value)))).rejects.toMatchObject({
      code: 'receipt_wrong',
    });
});

it('a month has each row in the tree, extends the tree that was kept, and names a receipt without its row', async () => {
  const ada = await employ();
  const receipt = await clock(ada, 'check_in');
  const first = await readMonth(ada.phone, ada.id, thisMonth());
  expect(first.rows).toEqual([{ attendance: receipt.attendance, check: 'included', isProved: true }]);
  await clock(ada, 'check_out');
  const kept = { tree: first.tree, receipts: [receipt] };
  const second = await readMonth(ada.phone, ada.id, thisMonth(), kept);
  expect(second.rows.map(({ check }) => check)).toEqual(['included', 'included']);
  expect(second.missing).toEqual([]);

  const { tree } = first;
  if (tree === undefined) throw new Error('no tree');
  const forked = { ...tree, root: 'ab'.repeat(32) };
  await expect(readMonth(ada.phone, ada.id, thisMonth(), { tree: forked })).rejects.toMatchObject({
    code: 'receipt_wrong',
  });
});

it('a receipt is missing once its row is gone for a day, or has another entry', async () => {
  const hidden = await employ(altered('/v1/phone/attendance/list', 'attendance', []));
  const receipt: PunchReceipt = await clock(hidden, 'check_in');
  const month = thisMonth();
  const read = async () => (await readMonth(hidden.phone, hidden.id, month, { receipts: [receipt] })).missing;
  expect(await read()).toEqual([]);
  const honest = await employ();
  const own = await clock(honest, 'check_in');
  const entry = { ...own.receipt.entry, hash: 'ab'.repeat(32) };
  const other = { ...own, receipt: { ...own.receipt, entry } };
  const { missing } = await readMonth(honest.phone, honest.id, month, { receipts: [other] });
  expect(missing).toEqual([other]);

  service.clock.advance(25 * 60 * 60_000);
  expect(await read()).toEqual([receipt]);
});

it('shows a row that a key made for the person and that was changed, and contests it', async () => {
  const ada = await employ(
    altered('/v1/phone/attendance/list', 'attendance.0.attendance.occurredAt', '2026-01-01T08:00:00.000Z'),
  );
  const { body } = await service.call('POST', '/v1/attendance', {
    as: account.key,
    body: { userId: ada.person.userId, type: 'check_in' },
  });
  const { rows } = await readMonth(ada.phone, ada.id, thisMonth());
  expect(rows).toMatchObject([{ check: 'wrong', isProved: false, fault: expect.any(String) }]);
  const contested = await contestAttendance(ada.phone, ada.id, body.attendance.id);
  expect(contested.contestedAt).not.toBeNull();
});

it('takes back a punch within five minutes alone, and waits for the account after that', async () => {
  const ada = await employ();
  const { userId } = ada.person;
  const back = async ({ attendance }: PunchReceipt) =>
    prepareCorrection(ada.phone, ada.id, { userId, ...takingBack(attendance) });
  const shown = await back(await clock(ada, 'check_in'));
  expect((await proposeCorrection(ada.phone, ada.id, shown)).state).toBe('agreed');
  expect((await proposeCorrection(ada.phone, ada.id, shown)).state).toBe('agreed');
  const later = await clock(ada, 'check_in');
  service.clock.advance(6 * 60_000);
  expect((await proposeCorrection(ada.phone, ada.id, await back(later))).state).toBe('proposed');
  const { rows } = await readMonth(ada.phone, ada.id, thisMonth());
  expect(rows.map(({ attendance }) => attendance.voidedBy === null)).toEqual([false, true]);
});

it('agrees to a correction of the account only if it is what its digest says', async () => {
  const { id, phone, person } = await employ();
  const proposal = {
    userId: person.userId,
    cause: 'forgotten',
    note: null,
    changes: [
      { old: null, new: { type: 'check_out', reason: 'work', occurredAt: '2026-01-01T08:00:00.000Z' } },
    ],
  } as const;
  const shown = await prepareCorrection(phone, id, proposal);
  const proposed = await proposeCorrection(phone, id, shown);
  const moved = {
    ...proposed,
    changes: [{ old: null, new: { ...proposal.changes[0].new, type: 'check_in' } }],
  };
  await expect(decideCorrection(phone, id, moved as never, 'agree')).rejects.toMatchObject({
    code: 'receipt_wrong',
  });
  await expect(decideCorrection(phone, id, proposed, 'contest')).rejects.toMatchObject({
    code: 'correction_waits_for_member',
  });
});

it('sets the PIN for desks, which the month then shows', async () => {
  const { phone, id } = await employ();
  expect((await readMonth(phone, id, thisMonth())).pin).toBeNull();
  const { setAt } = await setAttendancePin(phone, id, '482915');
  expect((await readMonth(phone, id, thisMonth())).pin).toEqual({ setBy: 'phone', setAt, mustChange: false });
  await expect(setAttendancePin(phone, id, '123456')).rejects.toMatchObject({ code: 'invalid_request' });
});

it('shows which member of the team the person is, by a code that names whose log-in it is', async () => {
  const { phone, id, person } = await employ();
  const { body } = await service.call('POST', '/api/console/members/me/link', { as: account.token });
  const code = readMemberLink(body.link.url);
  if (code === undefined) throw new Error('no code');
  expect(code).toMatchObject({ tenantId: account.tenantId, email: account.email });
  expect(await linkMember(phone, id, code)).toEqual({ id: code.memberId, userId: person.userId });
  const [header, claims = '', mac] = code.token.split('.');
  const other = Buffer.from(claims, 'base64url').toString().replace(account.email, 'other@example.com');
  const altered = readMemberLink(
    `svc://member?t=${header}.${Buffer.from(other).toString('base64url')}.${mac}`,
  );
  if (altered === undefined) throw new Error('no code');
  expect(altered.email).toBe('other@example.com');
  await expect(linkMember(phone, id, altered)).rejects.toMatchObject({ code: 'verification_failed' });
  for (const text of [
    '',
    'svc://member?t=a.b.c',
    `${body.link.url}.`,
    `https://evil.example/#code=${code.token}`,
  ])
    expect(readMemberLink(text)).toBeUndefined();
});
